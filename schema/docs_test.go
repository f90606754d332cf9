package schema

// docs.json becomes the comments of the generated packages: every name of every
// version has a line, no line is left over, and every line reads well after a Go
// name.

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEveryNameHasALine(t *testing.T) {
	used := readAll(t, func(version, what string) { t.Errorf("%s: %s has no line in docs.json", version, what) })
	for _, line := range lines(prose(t)) {
		if !used[line.place] {
			t.Errorf("docs.json: nothing uses %s", line.place)
		}
	}
}

var wellFormed = regexp.MustCompile(`^[a-z][^\n\r\t]*[^ .]\.$`)

func TestLinesReadWell(t *testing.T) {
	for _, line := range lines(prose(t)) {
		switch n := utf8.RuneCountInString(line.text); {
		case !wellFormed.MatchString(line.text):
			t.Errorf("%s: %q must start in lower case, end with a period and be one line", line.place, line.text)
		case n > 240:
			t.Errorf("%s: %d characters, at most 240", line.place, n)
		case strings.Contains(line.text, "  "):
			t.Errorf("%s: %q has two spaces in a row", line.place, line.text)
		}
	}
}

func TestVersionedLinesWin(t *testing.T) {
	p := prose(t)
	if old, now := p.Type("2025-03-26", "JSONRPCResponse"), p.Type("2025-11-25", "JSONRPCResponse"); old == now || old == "" {
		t.Errorf("JSONRPCResponse is %q in 2025-03-26 and %q in 2025-11-25, want two meanings", old, now)
	}
	if hoisted, inline := p.Type("2025-11-25", "CallToolRequestParams"), p.Type("2024-11-05", "CallToolRequest.params"); hoisted != inline || hoisted == "" {
		t.Errorf("parameters written in place are %q, hoisted ones %q, want the same", inline, hoisted)
	}
	if got := p.Field("2025-11-25", "ListToolsResult", "nextCursor"); got != p.Fields["nextCursor"] {
		t.Errorf("nextCursor of ListToolsResult is %q, want the default of that name", got)
	}
	if got := p.Type("2025-11-25", "ClientCapabilities.tasks.list"); got != p.Field("2025-11-25", "ClientCapabilities.tasks", "list") {
		t.Errorf("an object without members is %q, want the line of its field", got)
	}
}

func prose(t *testing.T) *Prose {
	t.Helper()
	p, err := ParseProse(Docs())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// readAll asks for the line of everything that the schemas name, reports what is
// missing, and returns the places in docs.json that answered.
func readAll(t *testing.T, missing func(version, what string)) map[string]bool {
	p, used := prose(t), map[string]bool{}
	for folder := range published() {
		take := func(what, text, place string) {
			if text == "" {
				missing(folder, what)
			}
			used[place] = true
		}
		for _, f := range facts(decode(t, ours(t, folder)).(map[string]any)) {
			switch f.kind {
			case "type":
				text, key := p.typeDoc(folder, f.path)
				_, name, _ := cutLast(f.path)
				take(f.path, text, typePlace(p, key, name))
			case "field":
				text, key := p.field(folder, f.path, f.name)
				take(f.path+"."+f.name, text, placeOf(p, key, "fields", f.name))
			case "value":
				text, key := p.entry(folder, f.path, func(e Entry) string { return e.Values[f.name] })
				take(f.path+"="+f.name, text, placeOf(p, key, "values", f.name))
			case "method":
				text, key := lookUp(p.Methods, folder, f.name)
				take(f.name, text, "methods/"+key)
			}
		}
	}
	return used
}

// placeOf names the line that an answer from the entry or default at key came from.
func placeOf(p *Prose, key, group, name string) string {
	e, isType := p.Types[key]
	switch {
	case !isType:
		return "fields/" + key
	case e.Fields[name] == "" && e.Values[name] == "":
		return "types/" + key + "/doc"
	}
	return "types/" + key + "/" + group + "/" + name
}

func typePlace(p *Prose, key, field string) string {
	if p.Types[key].Doc != "" {
		return "types/" + key + "/doc"
	}
	return placeOf(p, key, "fields", field)
}

type line struct{ place, text string }

func lines(p *Prose) []line {
	var all []line
	add := func(prefix string, texts map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			all = append(all, line{prefix + name, texts[name]})
		}
	}
	add("fields/", p.Fields)
	add("methods/", p.Methods)
	for _, key := range slices.Sorted(maps.Keys(p.Types)) {
		e := p.Types[key]
		if e.Doc != "" {
			all = append(all, line{"types/" + key + "/doc", e.Doc})
		}
		add("types/"+key+"/fields/", e.Fields)
		add("types/"+key+"/values/", e.Values)
	}
	return all
}
