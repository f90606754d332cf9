package gen

// Result is a generated package.
type Result struct {
	Files []File
	// Lock is the new mcpgen.lock.json; nil for Protocol.
	Lock []byte
	// Report counts and lists what was generated, weakened and left out.
	Report Report
}

// File is one generated file.
type File struct {
	Name    string // base name
	Content []byte
}

// Report is what --report json prints.
type Report struct {
	Package string `json:"package"`
	Server  string `json:"server,omitempty"`
	// Tools lists every generated tool, sorted by raw name.
	Tools     []ReportTool `json:"tools"`
	Prompts   []ReportTool `json:"prompts,omitempty"`
	Resources []ReportTool `json:"resources,omitempty"`
	Types     int          `json:"types"`
	// Corrections names the rows of the table of corrections that a protocol
	// schema needed.
	Corrections []string `json:"corrections,omitempty"`
	Fields      int      `json:"fields"`
	// Problems holds one entry per weakened place, left-out tool or remark, in
	// the order of the input.
	Problems []Problem `json:"problems"`
}

// ReportTool is one generated operation.
type ReportTool struct {
	Name        string `json:"name"`
	Method      string `json:"method"`           // Go method
	Signature   string `json:"signature"`        // Go signature without receiver
	Args        string `json:"args,omitempty"`   // Go type of the arguments
	Output      string `json:"output,omitempty"` // Go type of the output
	Description string `json:"description,omitempty"`
}

// Weakened counts the places whose type says less than the schema.
func (r *Report) Weakened() int { return r.count(Weakened) }

// Skipped counts the operations that were left out.
func (r *Report) Skipped() int { return r.count(Skipped) }

func (r *Report) count(s Severity) int {
	n := 0
	for _, p := range r.Problems {
		if p.Severity == s {
			n++
		}
	}
	return n
}
