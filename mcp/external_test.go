package mcp

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// C-250 C-251 C-351 C-352
func TestB156SchemasReachNoOtherDocument(t *testing.T) {
	canary := newHTTPServer(t, func(http.ResponseWriter, *http.Request, message) { t.Error("the canary was reached") })
	deep := strings.Repeat(`{"properties":{"a":`, 10_000) + `{}` + strings.Repeat(`}}`, 10_000)
	wide := `{"properties":{` + strings.Repeat(`"a":{"type":"string"},`, 100_000) + `"b":{}}}`
	for name, test := range map[string]struct {
		schema  string
		refused bool
	}{
		"http":      {`{"$ref":"` + canary.URL + `/x"}`, true},
		"nested":    {`{"properties":{"a":{"items":{"$ref":"` + canary.URL + `/x#/$defs/y"}}}}`, true},
		"dynamic":   {`{"$dynamicRef":"` + canary.URL + `/x"}`, true},
		"file":      {`{"$ref":"file:///etc/hostname"}`, true},
		"host":      {`{"$ref":"//127.0.0.1/x"}`, true},
		"id":        {`{"$id":"` + canary.URL + `/base","$ref":"other"}`, true},
		"deep":      {deep, false},
		"wide":      {wide, false},
		"recursive": {`{"properties":{"a":{"$ref":"#"}}}`, false},
		"cycle":     {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`, false},
		"pattern":   {`{"properties":{"a":{"pattern":"^(a+)+$"}}}`, false},
		"anchor":    {`{"$ref":"#here","$defs":{"a":{"$anchor":"here"}}}`, false},
	} {
		c, _ := answering(t, Version20260728, func(m message) []string {
			if m.Method == methodListTools {
				return []string{m.result(fmt.Sprintf(`{"tools":[{"name":"bad","inputSchema":{"type":"object"},"outputSchema":%s},{"name":"good","inputSchema":{"type":"object"}}]}`, test.schema))}
			}
			return []string{m.result(`{"content":[],"structuredContent":{"a":"` + strings.Repeat("a", 50) + `!"}}`)}
		})
		list, err := c.ListTools(t.Context())
		if err != nil || !strings.Contains(names(list), "good") {
			t.Errorf("%s: listed %s, %v", name, names(list), err)
		}
		_, err = c.CallTool(t.Context(), "bad", nil)
		var oe *OutputError
		if refused := errors.As(err, &oe) && strings.Contains(err.Error(), "leaves the document"); refused != test.refused {
			t.Errorf("%s: got %v", name, err)
		}
		if test.refused && oe != nil && oe.Result == nil {
			t.Errorf("%s: the error does not hold what the tool sent", name)
		}
		if _, err := c.CallTool(t.Context(), "good", nil); err != nil {
			t.Errorf("%s: other tool: %v", name, err)
		}
	}
}
