package golang

// Sealed unions: the methods of the arms, the arm for what nobody knows, and
// the function that picks an arm.

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (p *printer) unionCodecs(d *model.Decl, u *model.Union) []jen.Code {
	name := p.table.Type(d)
	var out []jen.Code
	for _, a := range u.Arms {
		recv := jen.Id(p.table.Type(a.Decl))
		if pointerArm(a) {
			recv = jen.Op("*").Add(recv)
		}
		out = append(out, jen.Func().Params(recv).Id("is"+name).Params().Block())
	}
	out = append(out, p.unknownArm(name)...)
	out = append(out, p.readUnion(d, u), p.unmarshalUnion(name))
	if p.fullCheck(d) {
		out = append(out, p.checkUnion(d))
	}
	return out
}

// pointerArm tells whether values of the arm are held by pointer.
func pointerArm(a *model.Arm) bool {
	switch a.Decl.Type.(type) {
	case *model.Struct, *model.Tuple:
		return true
	}
	return false
}

// unknownArm prints the arm that keeps the bytes of a value no other arm fits.
func (p *printer) unknownArm(union string) []jen.Code {
	name := "Unknown" + union
	return []jen.Code{
		comment(name + " is a value that fits no alternative of " + union + " known here; Raw holds its bytes."),
		jen.Type().Id(name).Struct(jen.Qual(wirePath, "Unknown")),
		jen.Func().Params(jen.Op("*").Id(name)).Id("is" + union).Params().Block(),
	}
}

// readUnion prints func ReadX(r *jsonwire.Reader) X: a switch over the JSON
// kind and, for objects, over the tag or the members.
func (p *printer) readUnion(d *model.Decl, u *model.Union) jen.Code {
	name := p.table.Type(d)
	var cases []jen.Code
	for _, k := range []struct{ kind, con string }{
		{"string", "KindString"}, {"number", "KindNumber"}, {"boolean", "KindBool"}, {"array", "KindArray"}, {"object", "KindObject"},
	} {
		var arms []*model.Arm
		for _, a := range u.Arms {
			if a.Kinds[0] == k.kind {
				arms = append(arms, a)
			}
		}
		if len(arms) == 0 {
			continue
		}
		var body []jen.Code
		switch {
		case len(arms) == 1 && !(k.kind == "object" && len(arms[0].Tags) > 0):
			body = p.readArm(arms[0])
		case k.kind == "object" && u.How == model.ByTag:
			body = p.readByTag(u, arms)
		case k.kind == "object" && u.How == model.ByKeys:
			body = p.readByKeys(name, arms)
		default:
			body = p.readByTrial(name, arms)
		}
		cases = append(cases, jen.Case(jen.Qual(wirePath, k.con)).Block(body...))
	}
	return jen.Comment("Read"+name+" reads the next value of r into the alternative that it fits.").Line().
		Func().Id("Read"+name).Params(jen.Id("r").Op("*").Qual(wirePath, "Reader")).Id(name).Block(
		jen.Switch(jen.Id("r").Dot("Kind").Call()).Block(cases...),
		jen.Return(jen.Op("&").Id("Unknown"+name).Values(jen.Qual(wirePath, "ReadUnknown").Call(jen.Id("r")))),
	)
}

// readArm prints x := new(T); x.ReadJSON(r); return x.
func (p *printer) readArm(a *model.Arm) []jen.Code {
	typ := p.table.Type(a.Decl)
	if pointerArm(a) {
		return []jen.Code{
			jen.Id("x").Op(":=").New(jen.Id(typ)),
			jen.Id("x").Dot("ReadJSON").Call(jen.Id("r")),
			jen.Return(jen.Id("x")),
		}
	}
	if e := p.readExpr(&model.Ref{Decl: a.Decl}, a.Decl.In); e != nil {
		return []jen.Code{jen.Return(e)}
	}
	if e := p.readExpr(a.Decl.Type, a.Decl.In); e != nil {
		return []jen.Code{jen.Return(jen.Id(typ).Call(e))}
	}
	return []jen.Code{
		jen.Var().Id("x").Id(typ),
		jen.Id("x").Dot("ReadJSON").Call(jen.Id("r")),
		jen.Return(jen.Id("x")),
	}
}

// readByTag prints a switch over r.Tag. An absent tag means the arm in which
// it is optional.
func (p *printer) readByTag(u *model.Union, arms []*model.Arm) []jen.Code {
	var cases []jen.Code
	for _, a := range arms {
		tags := texts(a.Tags)
		if a.Default {
			tags = append(tags, jen.Lit(""))
		}
		cases = append(cases, jen.Case(tags...).Block(p.readArm(a)...))
	}
	return []jen.Code{jen.Switch(jen.Id("r").Dot("Tag").Call(text(u.Tag))).Block(cases...)}
}

// readByKeys prints the members that only one arm requires, in order, and a
// trial where the arm so chosen does not fit.
func (p *printer) readByKeys(name string, arms []*model.Arm) []jen.Code {
	var out []jen.Code
	out = append(out, jen.Id("t").Op(":=").Qual(wirePath, "NewTrial").Types(jen.Id(name)).Call(jen.Id("r")))
	for _, a := range arms {
		if len(a.Keys) == 0 {
			continue
		}
		out = append(out, jen.If(jen.Id("r").Dot("Has").Call(text(a.Keys[0]))).Block(p.tryArm(a, "Fits")...))
	}
	return append(out, p.trials(arms)...)
}

func (p *printer) readByTrial(name string, arms []*model.Arm) []jen.Code {
	out := []jen.Code{jen.Id("t").Op(":=").Qual(wirePath, "NewTrial").Types(jen.Id(name)).Call(jen.Id("r"))}
	return append(out, p.trials(arms)...)
}

// trials prints a trial of every arm; the valid one with the fewest members
// left over wins, the first among equals.
func (p *printer) trials(arms []*model.Arm) []jen.Code {
	var out []jen.Code
	for _, a := range arms {
		out = append(out, jen.Block(p.tryArm(a, "Offer")...))
	}
	return append(out, jen.If(jen.List(jen.Id("x"), jen.Id("ok")).Op(":=").Id("t").Dot("Best").Call(), jen.Id("ok")).Block(jen.Return(jen.Id("x"))))
}

func (p *printer) tryArm(a *model.Arm, method string) []jen.Code {
	typ := p.table.Type(a.Decl)
	extra := jen.Lit(0)
	if s, ok := a.Decl.Type.(*model.Struct); ok && s.Extra != nil {
		extra = jen.Len(jen.Id("x").Dot("Extra"))
	}
	var out []jen.Code
	switch e := p.readExpr(&model.Ref{Decl: a.Decl}, a.Decl.In); {
	case pointerArm(a):
		out = []jen.Code{jen.Id("x").Op(":=").New(jen.Id(typ)), jen.Id("x").Dot("ReadJSON").Call(jen.Id("r"))}
	case e != nil:
		out = []jen.Code{jen.Id("x").Op(":=").Add(e)}
	default:
		out = []jen.Code{jen.Var().Id("x").Id(typ), jen.Id("x").Dot("ReadJSON").Call(jen.Id("r"))}
	}
	offer := jen.Id("t").Dot(method).Call(jen.Id("x"), jen.Id("x"), extra)
	if method == "Fits" {
		return append(out, jen.If(offer).Block(jen.Return(jen.Id("x"))))
	}
	return append(out, offer)
}

// unmarshalUnion prints UnmarshalX, the way to read a union on its own.
func (p *printer) unmarshalUnion(name string) jen.Code {
	return jen.Comment("Unmarshal"+name+" reads data into the alternative that it fits.").Line().
		Func().Id("Unmarshal"+name).Params(jen.Id("data").Index().Byte()).Params(jen.Id(name), jen.Error()).Block(
		jen.Return(jen.Qual(wirePath, "UnmarshalUnion").Call(jen.Id("data"), jen.Id("Read"+name))),
	)
}

// checkUnion prints the full validation of a union whose arms alone cannot
// tell.
func (p *printer) checkUnion(d *model.Decl) jen.Code {
	name := p.table.Type(d)
	return jen.Func().Id("check"+name).Params(jen.Id("v").Op("*").Qual(wirePath, "Validator"), jen.Id("x").Id(name)).Block(
		jen.If(jen.Id("x").Op("==").Nil()).Block(
			jen.Id("v").Dot("NotNil").Call(jen.False()),
			jen.Return(),
		),
		jen.Id(p.schemaVar(d.Schema)).Dot("Check").Call(jen.Id("v"), text(d.Pointer), jen.Id("x")),
	)
}
