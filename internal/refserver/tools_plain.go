package refserver

// Tools with plain arguments: scalars, enums, constants, arrays, objects, maps.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

type runner = func(context.Context, *exchange, json.RawMessage) (*toolResult, error)

// reading makes a tool from a function of its decoded arguments.
func reading[A any](f func(A) *toolResult) runner {
	return func(_ context.Context, _ *exchange, raw json.RawMessage) (*toolResult, error) {
		var args A
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, invalidParams("arguments: %v", err)
		}
		return f(args), nil
	}
}

// echoing gives back the arguments byte for byte.
func echoing(_ context.Context, _ *exchange, raw json.RawMessage) (*toolResult, error) {
	return give(raw), nil
}

var readOnly = obj{"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}

const scalarsSchema = `{"type":"object","properties":{
"text":{"type":"string","description":"Any text."},
"count":{"type":"integer","description":"A whole number."},
"ratio":{"type":"number","description":"A number that may have a fraction."},
"active":{"type":"boolean","description":"Yes or no."},
"note":{"type":"string","default":"none","description":"Left out means \"none\"."},
"limit":{"type":"integer","default":10,"description":"Left out means ten."},
"factor":{"type":"number","default":0.5,"description":"Left out means one half."},
"dry_run":{"type":"boolean","default":false,"description":"Left out means no."}},
"required":["text","count","ratio","active"]}`

func plainTools() []*tool {
	return []*tool{
		{name: "echo", title: "Echo", about: "Gives back whatever arguments it is called with, unchanged.",
			input: `{"type":"object","additionalProperties":true}`, hints: readOnly, run: echoing},
		{name: "greet", title: "Greet", about: "Greets a person, politely if asked to.",
			input: `{"type":"object","properties":{"name":{"type":"string","minLength":1,"description":"Who is greeted."},
"greeting":{"type":"string","default":"Hello","description":"The word to greet with."},
"loud":{"type":"boolean","description":"Greet in capitals."}},"required":["name"],"additionalProperties":false}`,
			hints: readOnly, run: reading(greet)},
		{name: "add", title: "Add", about: "Adds two numbers.",
			input: `{"type":"object","properties":{"a":{"type":"number","description":"The first number."},
"b":{"type":"number","description":"The second number."}},"required":["a","b"]}`,
			output: `{"type":"object","properties":{"sum":{"type":"number","description":"The first plus the second number."}},"required":["sum"]}`,
			hints:  readOnly, run: reading(func(in struct{ A, B float64 }) *toolResult { return give(obj{"sum": in.A + in.B}) })},
		{name: "echo_scalars", about: "Takes one required and one optional argument of each scalar kind and gives them back.",
			input: scalarsSchema, output: scalarsSchema, hints: readOnly, run: echoing},
		{name: "convert_temperature", title: "Convert temperature", about: "Converts a temperature from one scale to another.",
			input: `{"type":"object","properties":{"value":{"type":"number","description":"The temperature to convert."},
"from":{"type":"string","enum":["celsius","fahrenheit","kelvin"],"description":"The scale of the value."},
"to":{"type":"string","enum":["celsius","fahrenheit","kelvin"],"default":"celsius","description":"The scale of the answer."}},
"required":["value","from"]}`,
			output: `{"type":"number","description":"The temperature on the scale asked for."}`,
			hints:  readOnly, run: reading(convertTemperature)},
		{name: "set_priority", about: "Sets the priority of a ticket. The kind of change is fixed; the level is one of four numbers.",
			input: `{"type":"object","properties":{"kind":{"type":"string","const":"priority"},
"ticket":{"type":"string","description":"The ticket's id."},
"level":{"type":"integer","enum":[1,2,3,5],"description":"1 is the most urgent, 5 can wait."}},"required":["kind","ticket","level"]}`,
			output: `{"type":"object","properties":{"kind":{"const":"priority"},"ticket":{"type":"string"},
"level":{"type":"integer","enum":[1,2,3,5]},"urgent":{"type":"boolean"}},"required":["kind","ticket","level","urgent"],"additionalProperties":false}`,
			hints: obj{"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true}, run: reading(setPriority)},
		{name: "summarise_scores", title: "Summarise scores", about: "Counts and averages a list of scores, and joins the labels that come with them.",
			input: `{"type":"object","properties":{"scores":{"type":"array","items":{"type":"number"},"minItems":1,"description":"At least one score."},
"labels":{"type":"array","items":{"type":"string"},"uniqueItems":true,"maxItems":8,"description":"Up to eight different labels."},
"grid":{"type":"array","items":{"type":"array","items":{"type":"integer"}},"description":"Rows of whole numbers."}},"required":["scores"]}`,
			output: `{"type":"object","properties":{"count":{"type":"integer","minimum":0},"mean":{"type":"number"},"label":{"type":"string"},
"cells":{"type":"integer","minimum":0}},"required":["count","mean","label","cells"]}`,
			hints: readOnly, run: reading(summariseScores)},
		{name: "tag_item", about: "Puts tags, weights and settings, each a map from names to values, on an item.",
			input: tagSchema, output: tagSchema, run: echoing},
		{name: "list_colours", title: "List colours", about: "Lists the colours of the rainbow. Takes no arguments.",
			input:  `{"type":"object","additionalProperties":false}`,
			output: `{"type":"array","items":{"type":"string"},"minItems":1}`,
			hints:  readOnly, run: reading(func(struct{}) *toolResult { return give(rainbow) })},
		{name: "record_event", about: "Records an event of any form: named members beside whatever else is sent, and a payload of any kind.",
			input: eventSchema, output: eventSchema, run: echoing},
	}
}

var rainbow = []string{"red", "orange", "yellow", "green", "blue", "indigo", "violet"}

const tagSchema = `{"type":"object","properties":{"item":{"type":"string","description":"The item's name."},
"tags":{"type":"object","additionalProperties":{"type":"string"},"description":"A text for each tag."},
"weights":{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}},"description":"Whole numbers for each name."},
"settings":{"type":"object","properties":{"colour":{"type":"string"}},"additionalProperties":{"type":"boolean"},
"description":"A colour, and any number of switches."}},"required":["item","tags"]}`

const eventSchema = `{"type":"object","properties":{"kind":{"type":"string","description":"What happened."},
"payload":{"description":"Anything at all."},
"details":{"type":"object","description":"An object of any form."}},"required":["kind"],"additionalProperties":true}`

func greet(in struct {
	Name     string
	Greeting *string
	Loud     bool
}) *toolResult {
	word := "Hello"
	if in.Greeting != nil {
		word = *in.Greeting
	}
	text := fmt.Sprintf("%s, %s!", word, in.Name)
	if in.Loud {
		text = strings.ToUpper(text)
	}
	return say("%s", text)
}

func convertTemperature(in struct {
	Value    float64
	From, To string
}) *toolResult {
	kelvin := map[string]func(float64) float64{
		"celsius":    func(v float64) float64 { return v + 273.15 },
		"fahrenheit": func(v float64) float64 { return (v-32)*5/9 + 273.15 },
		"kelvin":     func(v float64) float64 { return v },
	}[in.From](in.Value)
	value := map[string]float64{"fahrenheit": (kelvin-273.15)*9/5 + 32, "kelvin": kelvin}
	result, ok := value[in.To]
	if !ok {
		result = kelvin - 273.15
	}
	return give(math.Round(result*100) / 100)
}

func setPriority(in struct {
	Ticket string
	Level  int
}) *toolResult {
	return give(obj{"kind": "priority", "ticket": in.Ticket, "level": in.Level, "urgent": in.Level == 1})
}

func summariseScores(in struct {
	Scores []float64
	Labels []string
	Grid   [][]int
}) *toolResult {
	sum, cells := 0.0, 0
	for _, s := range in.Scores {
		sum += s
	}
	for _, row := range in.Grid {
		cells += len(row)
	}
	return give(obj{
		"count": len(in.Scores), "mean": sum / float64(len(in.Scores)),
		"label": strings.Join(in.Labels, ", "), "cells": cells,
	})
}
