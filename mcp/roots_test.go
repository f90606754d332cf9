package mcp

import "testing"

// C-211
func TestRootsAreAbsoluteFileURIs(t *testing.T) {
	for uri, fine := range map[string]bool{
		"file:///home/ada":             true,
		"file:///home/ada/a%20b/":      true,
		"file:///C:/Users/ada":         true,
		"file://server/share/x":        true,
		"file:///":                     true,
		"file:///a..b/.hidden":         true,
		"file:///home/../etc":          false,
		"file:///home/%2e%2e/etc":      false,
		"file:///home/..%2Fetc":        false,
		`file:///C:/x\..\y`:            false,
		"file:///a/./b":                false,
		"file:///a%00b":                false,
		"file://":                      false,
		"file:relative":                false,
		"file:/one/slash":              false,
		"https://example.com/x":        false,
		"/home/ada":                    false,
		"":                             false,
		"file:///a?x=1":                false,
		"file:///a#b":                  false,
		"file://user@server/share/x/y": false,
	} {
		if err := checkRoot(uri); (err == nil) != fine {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if _, err := newOptions([]Option{WithRootList(Root{URI: "https://example.com"})}); err == nil {
		t.Error("a root that is no file was taken")
	}
}

// C-211
func TestPathsBecomeFileURIs(t *testing.T) {
	for _, test := range []struct{ volume, path, want string }{
		{"", "/home/ada/a b#c?d%", "file:///home/ada/a%20b%23c%3Fd%25"},
		{"", "/tmp/ü", "file:///tmp/%C3%BC"},
		{"C:", "C:/Users/ada b", "file:///C:/Users/ada%20b"},
		{"//server/share", "//server/share/x", "file://server/share/x"},
	} {
		if got := fileURI(test.volume, test.path); got != test.want {
			t.Errorf("%s is %s, want %s", test.path, got, test.want)
		} else if err := checkRoot(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
	dir := t.TempDir()
	root, err := RootDir(dir)
	if err != nil || checkRoot(root.URI) != nil || root.Name == nil {
		t.Errorf("root of %s is %+v, %v", dir, root, err)
	}
}
