package validation

import (
	"sync"
	"testing"
)

// A client validates the results of concurrent calls by one schema, and
// compiles further subschemas meanwhile.
func TestADocumentServesManyAtOnce(t *testing.T) {
	doc, _, err := NewDocument([]byte(`{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#"},"list":{"items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	root, err := doc.At("")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				if v := root.ValidateJSON([]byte(`{"v":1,"next":{"list":[null,{"v":2}]}}`)); v != nil {
					t.Errorf("violations are %v", v)
				}
				if v := root.ValidateJSON([]byte(`{"next":{"list":[{"v":"x"}]}}`)); len(v) != 1 || v[0].Pointer != "/next/list/0" {
					t.Errorf("violations are %v", v)
				}
			}
			if s, err := doc.At([]string{"/properties/next", "/properties/list", "/properties/list/items"}[i%3]); err != nil || s == nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
