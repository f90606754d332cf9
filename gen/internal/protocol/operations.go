package protocol

// Requests and notifications, recognised as VERSION_MATRIX §2 describes.

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (b *builder) operations() {
	fromClient, fromServer := b.members("ClientRequest"), b.members("ServerRequest")
	for name := range b.members("InputRequest") {
		fromServer[name] = true
	}
	for _, name := range b.names {
		n := b.defs[name]
		m := method(n)
		if m == "" {
			continue
		}
		if base, ok := strings.CutSuffix(name, "Request"); ok {
			op := b.request(name, base, m, n)
			op.FromClient, op.FromServer = fromClient[name], fromServer[name]
			if len(fromClient)+len(fromServer) == 0 || !op.FromClient && !op.FromServer {
				op.FromClient = true // an extension's file has no unions
			}
			b.ops = append(b.ops, op)
			continue
		}
		if strings.HasSuffix(name, "Notification") && name != "ClientNotification" && name != "ServerNotification" {
			b.ops = append(b.ops, &model.Operation{
				Kind: model.Notification, Key: "notifications/" + name, Raw: m, Title: strings.TrimSuffix(name, "Notification"),
				Params: b.params(name, n),
			})
		}
	}
}

func (b *builder) request(name, base, m string, n *jsonschema.Node) *model.Operation {
	op := &model.Operation{Kind: model.Request, Key: "requests/" + name, Raw: m, Title: base, Params: b.params(name, n)}
	op.Result, op.InputRequired = b.result(base)
	if params := property(n, "params"); params != nil {
		op.Paginated = property(params, "cursor") != nil
	}
	if op.Result != nil {
		if s, ok := op.Result.Type.(*model.Struct); ok {
			for _, f := range s.Fields {
				op.Cacheable = op.Cacheable || f.Raw == "cacheScope"
			}
		}
	}
	return op
}

// params is the declaration of the parameters of a request or notification.
func (b *builder) params(name string, n *jsonschema.Node) *model.Decl {
	d := behind(b.types.Decl("$defs/" + name))
	if d == nil {
		return nil
	}
	s, ok := d.Type.(*model.Struct)
	if !ok {
		return nil
	}
	for _, f := range s.Fields {
		if ref, ok := f.Type.(*model.Ref); ok && f.Raw == "params" {
			return ref.Decl
		}
	}
	return nil
}

// behind follows aliases of declarations.
func behind(d *model.Decl) *model.Decl {
	for d != nil && d.Alias {
		ref, ok := d.Type.(*model.Ref)
		if !ok {
			return d
		}
		d = ref.Decl
	}
	return d
}

// result is the result type of a request: what its …ResultResponse holds, else
// the definition called …Result, else the empty result.
func (b *builder) result(base string) (d *model.Decl, inputRequired bool) {
	if n := b.defs[base+"ResultResponse"]; n != nil {
		if r := property(n, "result"); r != nil {
			for _, a := range append(r.AnyOf, r.OneOf...) {
				name := a.Target().Pointer[strings.LastIndexByte(a.Target().Pointer, '/')+1:]
				if name == "InputRequiredResult" {
					inputRequired = true
					continue
				}
				d = b.types.Decl("$defs/" + name)
			}
			if d == nil {
				t := r.Target()
				d = b.types.Decl("$defs/" + t.Pointer[strings.LastIndexByte(t.Pointer, '/')+1:])
			}
		}
	}
	if d == nil {
		d = b.types.Decl("$defs/" + base + "Result")
	}
	if d == nil {
		d = b.types.Decl("$defs/EmptyResult")
	}
	return d, inputRequired
}
