package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWordsAreTypedByTheSchema(t *testing.T) {
	const schema = `{"type":"object","additionalProperties":false,"$defs":{"N":{"type":"integer"}},"properties":{
		"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},
		"a":{"type":"array"},"o":{"type":"object"},"any":{},"ref":{"$ref":"#/$defs/N"},
		"maybe":{"anyOf":[{"type":"integer"},{"type":"null"}]},"either":{"type":["string","integer"]},
		"level":{"enum":[1,2,3]},"color":{"enum":["red"]},"loop":{"$ref":"#/$defs/L"}}}`
	for word, want := range map[string]string{
		"s=3": `{"s":"3"}`, "s=": `{"s":""}`, "s=a=b": `{"s":"a=b"}`, "s:=\"x\"": `{"s":"x"}`,
		"i=3": `{"i":3}`, "i=12345678901234567890": `{"i":12345678901234567890}`, "i=1e3": `{"i":1e3}`, "i=x": `"x" is no integer`, "i=1.5": `"1.5" is no integer`,
		"n=3": `{"n":3}`, "n=1.50": `{"n":1.50}`, "n=NaN": `is no number`,
		"b=true": `{"b":true}`, "b=yes": `"yes" is no boolean`,
		`a=[1,"x"]`: `{"a":[1,"x"]}`, "a=x": "is no array", `o={"k":1}`: `{"o":{"k":1}}`,
		"any=3": `{"any":"3"}`, "any:=3": `{"any":3}`, "ref=7": `{"ref":7}`,
		"maybe=null": `{"maybe":null}`, "maybe=x": "is no integer or null", "either=3": `{"either":"3"}`,
		"level=2": `{"level":2}`, "color=red": `{"color":"red"}`, "loop=x": `{"loop":"x"}`,
		"gone=1": `no argument "gone"; it has "a", "any"`,
	} {
		given, err := parseArguments([]string{word})
		var got json.RawMessage
		if err == nil {
			got, err = typedArguments("tool", json.RawMessage(schema), map[string]json.RawMessage{}, given)
		}
		text := string(got)
		if err != nil {
			text = err.Error()
		}
		if strings.HasPrefix(want, "{") && text != want || !strings.Contains(text, want) {
			t.Errorf("%s: got %s, want %s", word, text, want)
		}
	}
}
