package tools

// Prompts and resource templates: their arguments are strings.

import (
	"fmt"
	"sort"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// named reads a list of named entries, sorted by name.
func (b *builder) named(list string, items []*jsonschema.Value) []*jsonschema.Value {
	var out []*jsonschema.Value
	seen := map[string]bool{}
	for i, v := range items {
		name := textOf(v.Get("name"))
		where := fmt.Sprintf("%s[%d] %q", list, i, name)
		switch {
		case name == "":
			b.problem("skipped", where, v, "/name", "it needs a name: a string that is not empty")
		case b.isBroken(where, v):
		case seen[name]:
			b.problem("skipped", where, v, "/name", "the name is taken")
		default:
			seen[name] = true
			out = append(out, v)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return textOf(out[i].Get("name")) < textOf(out[j].Get("name")) })
	return out
}

func (b *builder) prompts(list []*jsonschema.Value) {
	for _, v := range b.named("prompts", list) {
		name := textOf(v.Get("name"))
		op := &model.Operation{
			Kind: model.Prompt, Key: "prompts/" + jsonpointer.Escape(name), Raw: name, Title: title(v),
			Doc: model.Doc{Text: textOf(v.Get("description"))},
		}
		var fields []*model.Field
		seen := map[string]bool{}
		if args := v.Get("arguments"); args != nil {
			for _, a := range args.Items {
				raw := textOf(a.Get("name"))
				if raw == "" || seen[raw] {
					b.problem("note", fmt.Sprintf("prompts %q", name), a, "/arguments", "an argument without a name of its own is ignored")
					continue
				}
				seen[raw] = true
				fields = append(fields, &model.Field{
					Raw: raw, Type: &model.String{}, Required: isTrue(a.Get("required")),
					Doc: model.Doc{Text: textOf(a.Get("description"))},
				})
			}
		}
		b.stringArgs(op, fields, "the prompt")
		b.ops = append(b.ops, op)
	}
}

// stringArgs declares the arguments of a prompt or a template.
func (b *builder) stringArgs(op *model.Operation, fields []*model.Field, what string) {
	if len(fields) == 0 {
		return
	}
	kind := map[model.Kind]string{model.Prompt: "Prompt", model.Resource: "Resource"}[op.Kind]
	op.Args = b.types.Add(&model.Decl{
		Key: op.Key + "/args", Name: []string{kind + " " + op.Raw, "Args"}, In: true,
		Type: &model.Struct{Fields: fields},
		Doc:  model.Doc{Text: fmt.Sprintf("are the arguments of %s %q.", what, op.Raw), Own: true},
	})
}

func (b *builder) templates(list []*jsonschema.Value) {
	for _, v := range b.named("resourceTemplates", list) {
		name, uri := textOf(v.Get("name")), textOf(v.Get("uriTemplate"))
		where := fmt.Sprintf("resourceTemplates %q", name)
		vars, err := variables(uri)
		if err != nil {
			b.problem("skipped", where, v, "/uriTemplate", "%v", err)
			continue
		}
		op := &model.Operation{
			Kind: model.Resource, Key: "resources/" + jsonpointer.Escape(name), Raw: name, Title: title(v), URITemplate: uri,
			Doc: model.Doc{Text: textOf(v.Get("description"))},
		}
		b.stringArgs(op, vars, "the resource template")
		b.ops = append(b.ops, op)
	}
}

// variables lists the variables of an RFC 6570 template as fields. Those of a
// query are optional; an exploded one takes a list.
func variables(uri string) ([]*model.Field, error) {
	if uri == "" {
		return nil, fmt.Errorf("it needs a uriTemplate")
	}
	var out []*model.Field
	byName := map[string]*model.Field{}
	for rest := uri; ; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			if strings.IndexByte(rest, '}') >= 0 {
				return nil, fmt.Errorf("uriTemplate %.80q has a } without a {", uri)
			}
			return out, nil
		}
		end := strings.IndexByte(rest[open:], '}')
		if end < 0 || strings.IndexByte(rest[:open], '}') >= 0 {
			return nil, fmt.Errorf("uriTemplate %.80q has braces that do not match", uri)
		}
		expr := rest[open+1 : open+end]
		rest = rest[open+end+1:]
		optional := false
		if expr != "" && strings.IndexByte("+#./;?&", expr[0]) >= 0 {
			optional = expr[0] == '?' || expr[0] == '&'
			expr = expr[1:]
		}
		for _, spec := range strings.Split(expr, ",") {
			name, list := strings.CutSuffix(spec, "*")
			name, _, _ = strings.Cut(name, ":")
			if !validVariable(name) {
				return nil, fmt.Errorf("uriTemplate %.80q has no valid variable name in {%.40s}", uri, expr)
			}
			f := byName[name]
			if f == nil {
				f = &model.Field{Raw: name, Type: &model.String{}}
				byName[name] = f
				out = append(out, f)
			}
			f.Required = f.Required || !optional
			if list {
				f.Type = &model.Slice{Elem: &model.String{}}
			}
		}
	}
}

func validVariable(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '%' || c == '-') {
			return false
		}
	}
	return s != ""
}
