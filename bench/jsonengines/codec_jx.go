package jsonengines

import (
	"errors"

	"github.com/go-faster/jx"
)

// The same codecs over jx, in the shape that ogen generates: ObjBytes with a
// switch over the key, a bit set for required members.

var errMissing = errors.New("required member is missing")

func (x *Result) decodeJX(d *jx.Decoder) error {
	var seen uint64
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "content":
			x.Content = []Text{}
			err = d.Arr(func(d *jx.Decoder) error {
				x.Content = append(x.Content, Text{})
				return x.Content[len(x.Content)-1].decodeJX(d)
			})
			seen |= 1
		case "structuredContent":
			x.Output = new(Sum)
			err = x.Output.decodeJX(d)
		case "isError":
			x.IsError, err = d.Bool()
		default:
			return d.Skip()
		}
		return err
	})
	if err == nil && seen != 1 {
		err = errMissing
	}
	return err
}

func (x *Text) decodeJX(d *jx.Decoder) error {
	var seen uint64
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "type":
			x.Type, err = d.Str()
			seen |= 1
		case "text":
			x.Text, err = d.Str()
			seen |= 2
		default:
			return d.Skip()
		}
		return err
	})
	if err == nil && seen != 3 {
		err = errMissing
	}
	return err
}

func (x *Sum) decodeJX(d *jx.Decoder) error {
	var seen uint64
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "sum":
			x.Sum, err = d.Int64()
			seen |= 1
		case "unit":
			x.Unit, err = d.Str()
			seen |= 2
		default:
			return d.Skip()
		}
		return err
	})
	if err == nil && seen != 3 {
		err = errMissing
	}
	return err
}

func (x *Tools) decodeJX(d *jx.Decoder) error {
	var seen uint64
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "tools":
			x.Tools = []Tool{}
			err = d.Arr(func(d *jx.Decoder) error {
				x.Tools = append(x.Tools, Tool{})
				return x.Tools[len(x.Tools)-1].decodeJX(d)
			})
			seen |= 1
		case "nextCursor":
			x.NextCursor = new(string)
			*x.NextCursor, err = d.Str()
		default:
			return d.Skip()
		}
		return err
	})
	if err == nil && seen != 1 {
		err = errMissing
	}
	return err
}

func (x *Tool) decodeJX(d *jx.Decoder) error {
	var seen uint64
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "name":
			x.Name, err = d.Str()
			seen |= 1
		case "title":
			x.Title = new(string)
			*x.Title, err = d.Str()
		case "description":
			x.Description = new(string)
			*x.Description, err = d.Str()
		case "inputSchema":
			var raw jx.Raw
			raw, err = d.RawAppend(nil)
			x.InputSchema = []byte(raw)
			seen |= 2
		case "annotations":
			x.Annotations = new(Annotations)
			err = x.Annotations.decodeJX(d)
		default:
			return d.Skip()
		}
		return err
	})
	if err == nil && seen != 3 {
		err = errMissing
	}
	return err
}

func (x *Annotations) decodeJX(d *jx.Decoder) error {
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "readOnlyHint":
			x.ReadOnly = new(bool)
			*x.ReadOnly, err = d.Bool()
		case "idempotentHint":
			x.Idempotent = new(bool)
			*x.Idempotent, err = d.Bool()
		default:
			return d.Skip()
		}
		return err
	})
	return err
}

func (x *Rows) decodeJX(d *jx.Decoder) error {
	var seen uint64
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "rows":
			x.Rows = []Row{}
			err = d.Arr(func(d *jx.Decoder) error {
				x.Rows = append(x.Rows, Row{})
				return x.Rows[len(x.Rows)-1].decodeJX(d)
			})
			seen |= 1
		default:
			return d.Skip()
		}
		return err
	})
	if err == nil && seen != 1 {
		err = errMissing
	}
	return err
}

func (x *Row) decodeJX(d *jx.Decoder) error {
	var seen uint64
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		var err error
		switch string(key) {
		case "id":
			x.ID, err = d.Int64()
			seen |= 1
		case "name":
			x.Name, err = d.Str()
			seen |= 2
		case "email":
			x.Email, err = d.Str()
			seen |= 4
		case "score":
			x.Score, err = d.Float64()
			seen |= 8
		case "active":
			x.Active, err = d.Bool()
			seen |= 16
		case "tags":
			x.Tags = []string{}
			err = d.Arr(func(d *jx.Decoder) error {
				s, err := d.Str()
				x.Tags = append(x.Tags, s)
				return err
			})
		case "note":
			x.Note = new(string)
			*x.Note, err = d.Str()
		case "created":
			x.Created, err = d.Str()
			seen |= 32
		default:
			return d.Skip()
		}
		return err
	})
	if err == nil && seen != 63 {
		err = errMissing
	}
	return err
}

func (x *Result) encodeJX(e *jx.Encoder) {
	e.ObjStart()
	e.FieldStart("content")
	e.ArrStart()
	for i := range x.Content {
		e.ObjStart()
		e.FieldStart("type")
		e.Str(x.Content[i].Type)
		e.FieldStart("text")
		e.Str(x.Content[i].Text)
		e.ObjEnd()
	}
	e.ArrEnd()
	if x.Output != nil {
		e.FieldStart("structuredContent")
		e.ObjStart()
		e.FieldStart("sum")
		e.Int64(x.Output.Sum)
		e.FieldStart("unit")
		e.Str(x.Output.Unit)
		e.ObjEnd()
	}
	if x.IsError {
		e.FieldStart("isError")
		e.Bool(x.IsError)
	}
	e.ObjEnd()
}

func (x *Tools) encodeJX(e *jx.Encoder) {
	e.ObjStart()
	e.FieldStart("tools")
	e.ArrStart()
	for i := range x.Tools {
		x.Tools[i].encodeJX(e)
	}
	e.ArrEnd()
	if x.NextCursor != nil {
		e.FieldStart("nextCursor")
		e.Str(*x.NextCursor)
	}
	e.ObjEnd()
}

func (x *Tool) encodeJX(e *jx.Encoder) {
	e.ObjStart()
	e.FieldStart("name")
	e.Str(x.Name)
	if x.Title != nil {
		e.FieldStart("title")
		e.Str(*x.Title)
	}
	if x.Description != nil {
		e.FieldStart("description")
		e.Str(*x.Description)
	}
	e.FieldStart("inputSchema")
	e.Raw(x.InputSchema)
	if x.Annotations != nil {
		e.FieldStart("annotations")
		e.ObjStart()
		if x.Annotations.ReadOnly != nil {
			e.FieldStart("readOnlyHint")
			e.Bool(*x.Annotations.ReadOnly)
		}
		if x.Annotations.Idempotent != nil {
			e.FieldStart("idempotentHint")
			e.Bool(*x.Annotations.Idempotent)
		}
		e.ObjEnd()
	}
	e.ObjEnd()
}

func (x *Rows) encodeJX(e *jx.Encoder) {
	e.ObjStart()
	e.FieldStart("rows")
	e.ArrStart()
	for i := range x.Rows {
		x.Rows[i].encodeJX(e)
	}
	e.ArrEnd()
	e.ObjEnd()
}

func (x *Row) encodeJX(e *jx.Encoder) {
	e.ObjStart()
	e.FieldStart("id")
	e.Int64(x.ID)
	e.FieldStart("name")
	e.Str(x.Name)
	e.FieldStart("email")
	e.Str(x.Email)
	e.FieldStart("score")
	e.Float64(x.Score)
	e.FieldStart("active")
	e.Bool(x.Active)
	if len(x.Tags) > 0 {
		e.FieldStart("tags")
		e.ArrStart()
		for _, t := range x.Tags {
			e.Str(t)
		}
		e.ArrEnd()
	}
	if x.Note != nil {
		e.FieldStart("note")
		e.Str(*x.Note)
	}
	e.FieldStart("created")
	e.Str(x.Created)
	e.ObjEnd()
}
