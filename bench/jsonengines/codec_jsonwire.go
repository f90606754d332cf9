package jsonengines

import "github.com/mcpgen/mcpgen/mcp/jsonwire"

// The code that mcpgen generates, written out.

// ReadJSON reads the result.
func (x *Result) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "content":
			x.Content = []Text{}
			for r.BeginArray(); r.NextElement(); {
				x.Content = append(jsonwire.Grow(r, x.Content), Text{})
				x.Content[len(x.Content)-1].ReadJSON(r)
			}
			seen |= 1
		case "structuredContent":
			x.Output = new(Sum)
			x.Output.ReadJSON(r)
		case "isError":
			x.IsError = r.Bool()
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "content")
}

// ReadJSON reads the block.
func (x *Text) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "type":
			x.Type = r.String()
			seen |= 1
		case "text":
			x.Text = r.String()
			seen |= 2
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "type", "text")
}

// ReadJSON reads the sum.
func (x *Sum) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "sum":
			x.Sum = r.Int64()
			seen |= 1
		case "unit":
			x.Unit = r.String()
			seen |= 2
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "sum", "unit")
}

// ReadJSON reads the list.
func (x *Tools) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "tools":
			x.Tools = []Tool{}
			for r.BeginArray(); r.NextElement(); {
				x.Tools = append(jsonwire.Grow(r, x.Tools), Tool{})
				x.Tools[len(x.Tools)-1].ReadJSON(r)
			}
			seen |= 1
		case "nextCursor":
			x.NextCursor = new(r.String())
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "tools")
}

// ReadJSON reads the tool.
func (x *Tool) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "name":
			x.Name = r.String()
			seen |= 1
		case "title":
			x.Title = new(r.String())
		case "description":
			x.Description = new(r.String())
		case "inputSchema":
			x.InputSchema = r.Raw()
			seen |= 2
		case "annotations":
			x.Annotations = new(Annotations)
			x.Annotations.ReadJSON(r)
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "name", "inputSchema")
}

// ReadJSON reads the hints.
func (x *Annotations) ReadJSON(r *jsonwire.Reader) {
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "readOnlyHint":
			x.ReadOnly = new(r.Bool())
		case "idempotentHint":
			x.Idempotent = new(r.Bool())
		default:
			r.Skip()
		}
	}
}

// ReadJSON reads the rows.
func (x *Rows) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "rows":
			x.Rows = []Row{}
			for r.BeginArray(); r.NextElement(); {
				x.Rows = append(jsonwire.Grow(r, x.Rows), Row{})
				x.Rows[len(x.Rows)-1].ReadJSON(r)
			}
			seen |= 1
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "rows")
}

// ReadJSON reads the row.
func (x *Row) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "id":
			x.ID = r.Int64()
			seen |= 1
		case "name":
			x.Name = r.String()
			seen |= 2
		case "email":
			x.Email = r.String()
			seen |= 4
		case "score":
			x.Score = r.Float64()
			seen |= 8
		case "active":
			x.Active = r.Bool()
			seen |= 16
		case "tags":
			x.Tags = []string{}
			for r.BeginArray(); r.NextElement(); {
				x.Tags = append(jsonwire.Grow(r, x.Tags), r.String())
			}
		case "note":
			x.Note = new(r.String())
		case "created":
			x.Created = r.String()
			seen |= 32
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "id", "name", "email", "score", "active", "created")
}

// WriteJSON writes the result.
func (x *Result) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"content":`)
	w.BeginArray()
	for i := range x.Content {
		w.Element()
		w.BeginObject()
		w.Member(`"type":`)
		w.String(x.Content[i].Type)
		w.Member(`"text":`)
		w.String(x.Content[i].Text)
		w.EndObject()
	}
	w.EndArray()
	if x.Output != nil {
		w.Member(`"structuredContent":`)
		w.BeginObject()
		w.Member(`"sum":`)
		w.Int64(x.Output.Sum)
		w.Member(`"unit":`)
		w.String(x.Output.Unit)
		w.EndObject()
	}
	if x.IsError {
		w.Member(`"isError":`)
		w.Bool(x.IsError)
	}
	w.EndObject()
}

// WriteJSON writes the list.
func (x *Tools) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"tools":`)
	w.BeginArray()
	for i := range x.Tools {
		w.Element()
		x.Tools[i].WriteJSON(w)
	}
	w.EndArray()
	if x.NextCursor != nil {
		w.Member(`"nextCursor":`)
		w.String(*x.NextCursor)
	}
	w.EndObject()
}

// WriteJSON writes the tool.
func (x *Tool) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"name":`)
	w.String(x.Name)
	if x.Title != nil {
		w.Member(`"title":`)
		w.String(*x.Title)
	}
	if x.Description != nil {
		w.Member(`"description":`)
		w.String(*x.Description)
	}
	w.Member(`"inputSchema":`)
	w.Raw(x.InputSchema)
	if x.Annotations != nil {
		w.Member(`"annotations":`)
		w.BeginObject()
		if x.Annotations.ReadOnly != nil {
			w.Member(`"readOnlyHint":`)
			w.Bool(*x.Annotations.ReadOnly)
		}
		if x.Annotations.Idempotent != nil {
			w.Member(`"idempotentHint":`)
			w.Bool(*x.Annotations.Idempotent)
		}
		w.EndObject()
	}
	w.EndObject()
}

// WriteJSON writes the rows.
func (x *Rows) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"rows":`)
	w.BeginArray()
	for i := range x.Rows {
		w.Element()
		x.Rows[i].WriteJSON(w)
	}
	w.EndArray()
	w.EndObject()
}

// WriteJSON writes the row.
func (x *Row) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"id":`)
	w.Int64(x.ID)
	w.Member(`"name":`)
	w.String(x.Name)
	w.Member(`"email":`)
	w.String(x.Email)
	w.Member(`"score":`)
	w.Float64(x.Score)
	w.Member(`"active":`)
	w.Bool(x.Active)
	if len(x.Tags) > 0 {
		w.Member(`"tags":`)
		w.BeginArray()
		for _, t := range x.Tags {
			w.Element()
			w.String(t)
		}
		w.EndArray()
	}
	if x.Note != nil {
		w.Member(`"note":`)
		w.String(*x.Note)
	}
	w.Member(`"created":`)
	w.String(x.Created)
	w.EndObject()
}
