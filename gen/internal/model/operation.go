package model

// Kind of an operation.
type Kind uint8

// The kinds.
const (
	Tool Kind = iota
	Prompt
	Resource
	Request      // a request that a client sends (protocol packages)
	Handled      // a request that a server sends
	Notification // either way
)

// Operation is something that can be called.
type Operation struct {
	Kind  Kind
	Key   string // "tools/get-user"
	Raw   string // "get-user"
	Title string
	Doc   Doc

	Args   *Decl // nil: no arguments
	Output *Decl // nil: no output schema

	InputSchema  *Schema // nil for prompts and resources
	OutputSchema *Schema

	Fingerprint string
	Headers     []Header
	ReadOnly    bool
	Idempotent  bool
	URITemplate string
	Variables   []Variable

	// Protocol packages.
	Params, Result         *Decl
	ParamsRequired         bool
	Paginated, Cacheable   bool
	InputRequired          bool
	FromClient, FromServer bool
}

// Header is one x-mcp-header binding.
type Header struct {
	Name string   // "Region"
	Path []string // member names from the arguments down
}

// Variable is one variable of a URI template.
type Variable struct {
	Raw  string
	List bool // exploded: takes several values
}
