package mcp

import (
	"strings"
	"testing"

	"github.com/yosida95/uritemplate/v3"
)

// C-224
func TestURITemplatesExpandAsRFC6570Says(t *testing.T) {
	templates := []string{
		"", "literal", "{var}", "{hello}", "{+var}", "{+hello}", "{+path}/here", "here?ref={+path}", "X{#var}", "X{#hello}",
		"map?{x,y}", "{x,hello,y}", "{+x,hello,y}", "{+path,x}/here", "{#x,hello,y}", "{#path,x}/here", "X{.var}", "X{.x,y}", "{/var}", "{/var,x}/here",
		"{;x,y}", "{;x,y,empty}", "{?x,y}", "{?x,y,empty}", "?fixed=yes{&x}", "{&x,y,empty}",
		"{var:3}", "{var:30}", "{list}", "{list*}", "{+path:6}/here", "{+list}", "{+list*}", "{#path:6}here", "{#list}", "{#list*}",
		"X{.var:3}", "X{.list}", "X{.list*}", "{/var:1,var}", "{/list}", "{/list*}", "{/list*,path:4}", "{;hello:5}", "{;list}", "{;list*}",
		"{?var:3}", "{?list}", "{?list*}", "{&var:3}", "{&list}", "{&list*}", "{half}", "{who:2}", "{percent}", "{none}", "{?none,x}", "{/none}",
		"{emptylist}", "{?emptylist*}", "{keys}", "{keys*}", "{?keys}", "{?keys*}", "{;keys*}", "{+keys*}", "{a.b}",
	}
	scalars := map[string]string{"var": "value", "hello": "Hello World!", "path": "/foo/bar", "x": "1024", "y": "768", "empty": "", "half": "50%", "who": "fred", "percent": "a%20b%zz", "a.b": "dot", "unicode": "é😀x"}
	for _, template := range templates {
		var ours URIValues
		theirs := uritemplate.Values{}
		for name, value := range scalars {
			ours.Set(name, value)
			theirs.Set(name, uritemplate.String(value))
		}
		ours.SetList("list", []string{"red", "green", "blue"})
		theirs.Set("list", uritemplate.List("red", "green", "blue"))
		ours.SetList("emptylist", nil)
		theirs.Set("emptylist", uritemplate.List())
		ours.SetMap("keys", map[string]string{"comma": ",", "dot": ".", "semi": ";"})
		theirs.Set("keys", uritemplate.KV("comma", ",", "dot", ".", "semi", ";"))
		want, err := uritemplate.MustNew(template).Expand(theirs)
		if err != nil {
			t.Fatalf("%q: %v", template, err)
		}
		got, err := ExpandURITemplate(template, &ours)
		if err != nil || got != want {
			t.Errorf("%q: got %q, want %q, %v", template, got, want, err)
		}
	}
}

// Where the reference implementation strays from RFC 6570: UTF-8, and triplets in reserved expansion (§3.2.1, §3.2.3).
func TestURITemplatesBeyondASCII(t *testing.T) {
	var values URIValues
	values.Set("u", "é😀x")
	values.Set("p", "a%20b%zz")
	for template, want := range map[string]string{
		"a%20bé": "a%20b%C3%A9", "{u}": "%C3%A9%F0%9F%98%80x", "{u:1}": "%C3%A9", "{+u:2}": "%C3%A9%F0%9F%98%80", "{+p}": "a%20b%25zz", "{p}": "a%2520b%25zz",
	} {
		if got, err := ExpandURITemplate(template, &values); err != nil || got != want {
			t.Errorf("%q: got %q, %v", template, got, err)
		}
	}
}

func TestMalformedURITemplatesAreRefused(t *testing.T) {
	for _, template := range []string{"{", "}", "{}", "{a", "a}", "{a b}", "{a:0}", "{a:x}", "{a:10000}", "{=a}", "{a,}", "{.}", "{a**}", "{%zz}", "{list:3}"} {
		var values URIValues
		values.SetList("list", []string{"x"})
		if got, err := ExpandURITemplate(template, &values); err == nil || !strings.Contains(err.Error(), "URI template") {
			t.Errorf("%q: got %q, %v", template, got, err)
		}
	}
}
