package refserver

// Tools for what they give: output of every root kind, every kind of content, errors.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

func outputTools() []*tool {
	return []*tool{
		{name: "schedule_meeting", title: "Schedule meeting", about: "Schedules a meeting and gives the moment at which it ends.",
			input: `{"type":"object","properties":{"start":{"type":"string","format":"date-time","description":"When it starts."},
"minutes":{"type":"integer","minimum":1,"default":60,"description":"How long it takes."},
"remind_on":{"type":"string","format":"date"},"organiser":{"type":"string","format":"email"},"link":{"type":"string","format":"uri"},
"series":{"type":"string","format":"uuid"}},"required":["start"]}`,
			output: `{"type":"string","format":"date-time"}`, hints: readOnly, run: scheduleMeeting},
		{name: "is_even", title: "Is even", about: "Says whether a whole number is even.",
			input:  `{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}`,
			output: `{"type":"boolean"}`, hints: readOnly,
			run: reading(func(in struct{ Number int64 }) *toolResult { return give(in.Number%2 == 0) })},
		{name: "look_up_word", title: "Look up word", about: "Looks a word up in a very small dictionary; the answer is null when it is not there.",
			input:  `{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`,
			output: `{"type":["string","null"]}`, hints: readOnly, run: reading(lookUpWord)},
		{name: "list_measurements", about: "Gives measurements of two kinds, told apart by a tag, in one array.",
			input: `{"type":"object","properties":{"count":{"type":"integer","minimum":0,"maximum":50}},"required":["count"]}`,
			output: `{"type":"array","items":{"oneOf":[
{"type":"object","properties":{"type":{"const":"temperature"},"celsius":{"type":"number"}},"required":["type","celsius"]},
{"type":"object","properties":{"type":{"const":"wind"},"speed":{"type":"number"},"direction":{"type":"string","enum":["N","E","S","W"]}},"required":["type","speed","direction"]}]}}`,
			hints: readOnly, run: reading(listMeasurements)},
		{name: "check_stock", about: "Says how much of a product is left: a number, or an object that says why there is none.",
			input: `{"type":"object","properties":{"product":{"type":"string"}},"required":["product"]}`,
			output: `{"anyOf":[{"type":"integer","minimum":1},{"type":"object","properties":{"reason":{"type":"string"},"back_on":{"type":"string","format":"date"}},
"required":["reason"],"additionalProperties":false}]}`, hints: readOnly, run: reading(checkStock)},
		{name: "show_content", title: "Show content", about: "Gives one block of every kind of content that the protocol version has.",
			input: `{"type":"object","properties":{"annotated":{"type":"boolean","default":false,"description":"Put annotations on the blocks."}}}`,
			hints: readOnly, run: showContent},
		{name: "fail", title: "Fail", about: "Always fails: as a tool, as a protocol error, or with an answer that breaks its own schema.",
			input: `{"type":"object","properties":{"how":{"type":"string","enum":["tool","protocol","schema"],"default":"tool"},
"message":{"type":"string","default":"it failed"}}}`,
			output: `{"type":"object","properties":{"never":{"type":"integer"}},"required":["never"]}`, run: fail},
	}
}

func scheduleMeeting(_ context.Context, _ *exchange, raw json.RawMessage) (*toolResult, error) {
	var in struct {
		Start   time.Time
		Minutes *int
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, invalidParams("arguments: %v", err)
	}
	minutes := 60
	if in.Minutes != nil {
		minutes = *in.Minutes
	}
	return give(in.Start.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339Nano)), nil
}

func lookUpWord(in struct{ Word string }) *toolResult {
	meanings := map[string]string{"gopher": "a burrowing rodent", "mascot": "something kept for luck"}
	if meaning, ok := meanings[strings.ToLower(in.Word)]; ok {
		return give(meaning)
	}
	return give(json.RawMessage("null"))
}

func listMeasurements(in struct{ Count int }) *toolResult {
	all := []any{}
	for i := range in.Count {
		if i%2 == 0 {
			all = append(all, obj{"type": "temperature", "celsius": 20.5 + float64(i)})
		} else {
			all = append(all, obj{"type": "wind", "speed": float64(i), "direction": "NESW"[i/2%4 : i/2%4+1]})
		}
	}
	return give(all)
}

func checkStock(in struct{ Product string }) *toolResult {
	if strings.HasPrefix(in.Product, "rare") {
		return give(obj{"reason": "sold out", "back_on": "2027-01-15"})
	}
	return give(1 + len(in.Product))
}

// dot is a PNG of one pixel.
var dot = base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde" +
	"\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef\x00\x00\x00\x00IEND\xaeB`\x82"))

// beep is the header of an empty WAV file.
var beep = base64.StdEncoding.EncodeToString([]byte("RIFF$\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00"))

func showContent(_ context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	blocks := []any{
		textBlock("plain text with “quotes”, <tags> and a line\nbreak"),
		obj{"type": "image", "data": dot, "mimeType": "image/png"},
	}
	if ex.since(V20250326) {
		blocks = append(blocks, obj{"type": "audio", "data": beep, "mimeType": "audio/wav"})
	}
	if ex.since(V20250618) {
		blocks = append(blocks, obj{"type": "resource_link", "uri": noteURI, "name": "welcome", "mimeType": "text/plain", "size": len(noteText)})
	}
	blocks = append(blocks,
		obj{"type": "resource", "resource": obj{"uri": noteURI, "mimeType": "text/plain", "text": noteText}},
		obj{"type": "resource", "resource": obj{"uri": dotURI, "mimeType": "image/png", "blob": dot}})
	if string(members(raw)["annotated"]) == "true" {
		for _, b := range blocks {
			b.(obj)["annotations"] = obj{"audience": []string{"user", "assistant"}, "priority": 0.5}
		}
	}
	return &toolResult{content: blocks}, nil
}

func fail(_ context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	in := struct{ How, Message string }{"tool", "it failed"}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, invalidParams("arguments: %v", err)
	}
	switch in.How {
	case "protocol":
		return nil, &rpcError{Code: -32050, Message: in.Message, Data: obj{"tool": "fail", "version": ex.version}}
	case "schema":
		return give(obj{"never": in.Message}), nil
	}
	result := say("%s", in.Message)
	result.isError = true
	return result, nil
}
