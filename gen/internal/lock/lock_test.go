package lock

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
)

func value(t *testing.T, text string) *jsonschema.Value {
	t.Helper()
	v, err := jsonschema.ParseJSON("t", []byte(text), jsonschema.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func example(t *testing.T) *Lock {
	return &Lock{
		Server: Server{Name: "everything", Version: "2.0.0", Protocol: "2025-11-25"},
		Tools: []Tool{
			ToolOf(value(t, `{"name":"b","inputSchema":{ "type" : "object" , "properties":{"name":{"type":"string"},"names":{}} }}`), "B", ""),
			ToolOf(value(t, `{"name":"a","title":"A & <b>","description":"d","execution":{"taskSupport":"optional"},"annotations":{"readOnlyHint":true},
				"inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["x"]}}`), "A", ""),
		},
		Prompts:   []Prompt{PromptOf(value(t, `{"name":"p","arguments":[{"name":"x","required":true},{"name":"y"}]}`), "PromptP")},
		Templates: []Template{TemplateOf(value(t, `{"name":"r","uriTemplate":"x://{id}"}`), "ResourceR")},
		Names:     map[string]string{"tools/b": "B", "tools/a": "A", "inputSchema": "X"},
	}
}

const written = `{
  "lockVersion": 1,
  "server": {
    "name": "everything",
    "version": "2.0.0",
    "protocol": "2025-11-25"
  },
  "tools": [
    {
      "name": "a",
      "go": "A",
      "fingerprint": "%a",
      "title": "A & <b>",
      "description": "d",
      "annotations": {"readOnlyHint":true},
      "taskSupport": "optional",
      "inputSchema": {"type":"object"},
      "outputSchema": {"type":"object","required":["x"]}
    },
    {
      "name": "b",
      "go": "B",
      "fingerprint": "%b",
      "inputSchema": {"type":"object","properties":{"name":{"type":"string"},"names":{}}}
    }
  ],
  "prompts": [
    {
      "name": "p",
      "go": "PromptP",
      "arguments": [
        {
          "name": "x",
          "required": true
        },
        {
          "name": "y"
        }
      ]
    }
  ],
  "templates": [
    {
      "name": "r",
      "go": "ResourceR",
      "uriTemplate": "x://{id}"
    }
  ],
  "names": {
    "inputSchema": "X",
    "tools/a": "A",
    "tools/b": "B"
  }
}
`

func TestMarshalIsSortedAndStable(t *testing.T) {
	l := example(t)
	got, err := Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("%a", l.Tools[1].Fingerprint, "%b", l.Tools[0].Fingerprint).Replace(written)
	if string(got) != want {
		t.Errorf("lock file is\n%s\nwant\n%s", got, want)
	}
	parsed, err := Parse(got)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Marshal(parsed)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("reading and writing changes the file: %v\n%s", err, again)
	}
	if changes := Diff(l, parsed); len(changes) > 0 {
		t.Errorf("the file differs from what was written: %v", changes)
	}
}

func TestMarshalOfNothing(t *testing.T) {
	got, err := Marshal(&Lock{})
	want := "{\n  \"lockVersion\": 1,\n  \"server\": {},\n  \"tools\": [],\n  \"names\": {}\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("empty lock is %s, %v", got, err)
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"<<<<<<< HEAD\n{}":                  "lock file:1:1: '<' where a value should start",
		`{"lockVersion":2}`:                 "lock file: its format is version 2, which a newer mcpgen wrote; this one knows version 1",
		`{"names":{}}`:                      "lock file: it has no lockVersion; delete it and run mcpgen generate",
		`[]`:                                "lock file: it is no JSON object; delete it and run mcpgen generate",
		`{"lockVersion":1,"lockVersion":1}`: `lock file:1:18: member "lockVersion" was already given at 1:2`,
	} {
		if _, err := Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: error is %v, want %s", text, err, want)
		}
	}
}

func TestOfTakesEachNamedEntryOnce(t *testing.T) {
	tools := value(t, `[{"name":"a/b","inputSchema":{}},{"name":"a/b","title":"second"},{"title":"nameless"},7,{"name":"out"}]`).Items
	prompts := value(t, `[{"name":"p"}]`).Items
	templates := value(t, `[{"name":"r","uriTemplate":"x"}]`).Items
	names := map[string]string{"tools/a~1b": "AB", "prompts/p": "PromptP", "resources/r": "ResourceR"}
	l := Of(Server{Name: "s"}, tools, prompts, templates, names, func(tool string) (string, bool) { return "", tool != "out" })
	if len(l.Tools) != 1 || l.Tools[0].Go != "AB" || l.Tools[0].Title != "" || l.Prompts[0].Go != "PromptP" || l.Templates[0].Go != "ResourceR" {
		t.Errorf("lock is %+v", l)
	}
}
