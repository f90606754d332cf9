package naming

// The table: who gets which identifier when several want the same.

import (
	"go/token"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// Options are the names that are decided already.
type Options struct {
	// Overrides are the user's, by key ("tools/get-user") or, for operations,
	// by raw name; Locked are those of the last run, by key.
	Overrides map[string]string
	Locked    map[string]string
	// Reserved are package-level identifiers that the file uses itself, and
	// Methods are the methods that Client has anyway.
	Reserved []string
	Methods  []string
}

// Table holds the identifiers of one package.
type Table struct {
	decls   map[*model.Decl]string
	fields  map[*model.Field]string
	consts  map[*model.Decl][]string
	methods map[*model.Operation]string
	vars    map[string]string // by role and key

	taken  map[string]bool // package level
	called map[string]bool // methods of Client
	opts   Options
	// Unused lists overrides that fit nothing, Refused those whose name is taken.
	Unused, Refused []string
}

// Make names everything in pkg.
func Make(pkg *model.Package, opts Options) *Table {
	t := &Table{
		decls: map[*model.Decl]string{}, fields: map[*model.Field]string{}, consts: map[*model.Decl][]string{},
		methods: map[*model.Operation]string{}, vars: map[string]string{},
		taken: map[string]bool{}, called: map[string]bool{}, opts: opts,
	}
	for _, r := range opts.Reserved {
		t.taken[r] = true
	}
	for _, m := range opts.Methods {
		t.called[m] = true
	}
	t.nameOperations(pkg.Ops)
	t.nameDecls(pkg)
	for _, d := range pkg.Decls {
		t.nameInside(d)
	}
	t.findUnused(pkg)
	return t
}

// Type is the identifier of a declaration.
func (t *Table) Type(d *model.Decl) string { return t.decls[d] }

// Field is the identifier of a struct field.
func (t *Table) Field(f *model.Field) string { return t.fields[f] }

// Const is the identifier of the i-th value of an enum.
func (t *Table) Const(d *model.Decl, i int) string { return t.consts[d][i] }

// Method is the identifier of an operation's method or function.
func (t *Table) Method(op *model.Operation) string { return t.methods[op] }

// Var claims, once, an identifier that is derived from another: the variable
// of a tool, the constant of a schema.
func (t *Table) Var(role, name string, exported bool) string {
	key := role + "\x00" + name
	if v, ok := t.vars[key]; ok {
		return v
	}
	want := name + role
	if !exported {
		want = unexported(want)
	}
	v := t.claim(want, key)
	t.vars[key] = v
	return v
}

// Names returns raw key -> Go name for the lock file.
func (t *Table) Names() map[string]string {
	out := map[string]string{}
	for d, name := range t.decls {
		out[d.Key] = name
	}
	for op, name := range t.methods {
		out[op.Key] = name
	}
	return out
}

// claim takes the identifier, or one with a suffix made of raw.
func (t *Table) claim(want, raw string) string {
	name := want
	for i := 0; t.taken[name] || !usable(name); i++ {
		name = want + "_" + digest(raw)
		if i > 0 {
			name += strconv.Itoa(i)
		}
	}
	t.taken[name] = true
	return name
}

func usable(name string) bool { return token.IsIdentifier(name) && !predeclared[name] }

var predeclared = func() map[string]bool {
	m := map[string]bool{"init": true, "main": true, "_": true}
	for _, s := range strings.Fields(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
		rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag
		len make max min new panic print println real recover`) {
		m[s] = true
	}
	return m
}()

var kindWords = map[model.Kind]string{
	model.Tool: "Tool", model.Prompt: "Prompt", model.Resource: "Resource",
	model.Request: "Request", model.Handled: "Request", model.Notification: "Notification",
}

// prefixes of the methods of prompts and resource templates.
var prefixes = map[model.Kind]string{model.Prompt: "Prompt", model.Resource: "Resource"}

// decided returns the name that the user or the last run gave to a key.
func (t *Table) decided(key, raw string) (string, bool) {
	for _, k := range []string{key, raw} {
		if name, ok := t.opts.Overrides[k]; ok && k != "" && exported(name) {
			return name, true
		}
	}
	name, ok := t.opts.Locked[key]
	return name, ok && exported(name)
}

func exported(name string) bool {
	return token.IsIdentifier(name) && unicode.IsUpper([]rune(name)[0])
}

func (t *Table) nameOperations(ops []*model.Operation) {
	var open []*model.Operation
	for _, op := range ops {
		switch op.Kind {
		case model.Notification: // has no function of its own
			continue
		case model.Request:
			t.methods[op] = t.claim(op.Title, op.Key)
			continue
		}
		raw := ""
		if op.Kind == model.Tool {
			raw = op.Raw
		}
		if name, ok := t.decided(op.Key, raw); ok && !t.called[name] {
			t.called[name] = true
			t.methods[op] = name
			continue
		}
		open = append(open, op)
	}
	want := func(op *model.Operation) string {
		return prefixes[op.Kind] + Exported(kindWords[op.Kind], op.Raw)
	}
	sort.SliceStable(open, func(i, j int) bool {
		wi, wj := want(open[i]), want(open[j])
		if wi != wj {
			return wi < wj
		}
		if ri, rj := rank(open[i].Raw, wi), rank(open[j].Raw, wj); ri != rj {
			return ri < rj
		}
		return open[i].Key < open[j].Key
	})
	for _, op := range open {
		name := want(op)
		if t.reservedMethod(name) {
			name += kindWords[op.Kind]
		}
		for i := 0; t.called[name]; i++ {
			name = want(op) + "_" + digest(op.Key)
			if i > 0 {
				name += strconv.Itoa(i)
			}
		}
		t.called[name] = true
		t.methods[op] = name
	}
}

func (t *Table) reservedMethod(name string) bool {
	for _, m := range t.opts.Methods {
		if m == name {
			return true
		}
	}
	return false
}

// nameDecls names the declarations: those that are decided, then the others by
// depth and key, so that what stands further out gets the plain name.
func (t *Table) nameDecls(pkg *model.Package) {
	ops := map[string]string{}
	for op, name := range t.methods {
		ops[op.Key] = name
	}
	var open []*model.Decl
	for _, d := range pkg.Decls {
		if d.Exact {
			t.decls[d] = t.claimFamily(d, d.Name[len(d.Name)-1])
			continue
		}
		if name, ok := t.decided(d.Key, ""); ok && t.free(d, name) {
			t.decls[d] = t.claimFamily(d, name)
			continue
		}
		open = append(open, d)
	}
	sort.SliceStable(open, func(i, j int) bool {
		if len(open[i].Name) != len(open[j].Name) {
			return len(open[i].Name) < len(open[j].Name)
		}
		return open[i].Key < open[j].Key
	})
	for _, d := range open {
		t.decls[d] = t.claimFamily(d, t.declName(d, ops))
	}
}

// declName is the identifier that a declaration asks for: the operation's own
// identifier, when it belongs to one, and then its words.
func (t *Table) declName(d *model.Decl, ops map[string]string) string {
	parts := strings.SplitN(d.Key, "/", 3)
	if len(parts) == 3 && len(d.Name) > 1 {
		if name, ok := ops[parts[0]+"/"+parts[1]]; ok {
			return clip(name+Exported("Type", d.Name[1:]...), d.Key)
		}
	}
	if d.Verbatim {
		return d.Name[0] + Exported("Type", d.Name[1:]...)
	}
	return Exported("Type", d.Name...)
}

func clip(name, key string) string {
	if runes := []rune(name); len(runes) > maxRunes+20 {
		return string(runes[:maxRunes]) + "_" + digest(key)
	}
	return name
}

// family lists the identifiers that come with a declaration.
func family(d *model.Decl, name string) []string {
	if _, ok := d.Type.(*model.Union); ok && !d.Alias {
		return []string{name, "Unknown" + name, "Unmarshal" + name, "Read" + name, "check" + name}
	}
	if d.Bare {
		return []string{"write" + name, "read" + name, "check" + name}
	}
	return []string{name}
}

func (t *Table) free(d *model.Decl, name string) bool {
	for _, n := range family(d, name) {
		if t.taken[n] || !usable(n) {
			return false
		}
	}
	return true
}

func (t *Table) claimFamily(d *model.Decl, want string) string {
	name := want
	for i := 0; !t.free(d, name); i++ {
		name = want + "_" + digest(d.Key)
		if i > 0 {
			name += strconv.Itoa(i)
		}
	}
	for _, n := range family(d, name) {
		t.taken[n] = true
	}
	return name
}

func (t *Table) findUnused(pkg *model.Package) {
	known := map[string]bool{}
	for _, op := range pkg.Ops {
		known[op.Key], known[op.Raw] = true, true
	}
	for _, d := range pkg.Decls {
		known[d.Key] = true
	}
	got := map[string]bool{} // overrides that came about
	for _, op := range pkg.Ops {
		for _, key := range []string{op.Key, op.Raw} {
			got[key] = got[key] || t.methods[op] == t.opts.Overrides[key]
		}
	}
	for _, d := range pkg.Decls {
		got[d.Key] = got[d.Key] || t.decls[d] == t.opts.Overrides[d.Key]
	}
	for key := range t.opts.Overrides {
		switch {
		case !known[key]:
			t.Unused = append(t.Unused, key)
		case !got[key]:
			t.Refused = append(t.Refused, key)
		}
	}
	sort.Strings(t.Unused)
	sort.Strings(t.Refused)
}
