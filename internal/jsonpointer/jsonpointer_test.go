package jsonpointer

import "testing"

func TestATokenIsReadAsItWasWritten(t *testing.T) {
	for name, token := range map[string]string{"": "", "a": "a", "~": "~0", "/": "~1", "~1": "~01", "a/b~c": "a~1b~0c", "é": "é"} {
		if got := Escape(name); got != token {
			t.Errorf("Escape(%q) is %q, want %q", name, got, token)
		}
		if got := Unescape(token); got != name {
			t.Errorf("Unescape(%q) is %q, want %q", token, got, name)
		}
	}
}
