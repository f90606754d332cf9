package jsonengines

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The values that are measured: the same on every run.

// SmallResult returns a result of one text block and one typed object.
func SmallResult() *Result {
	return &Result{
		Content: []Text{{Type: "text", Text: "The sum of 17 and 25 is 42."}},
		Output:  &Sum{Sum: 42, Unit: "metres"},
	}
}

// ManyTools returns a list of n tools.
func ManyTools(n int) *Tools {
	list := &Tools{Tools: make([]Tool, n)}
	for i := range list.Tools {
		list.Tools[i] = Tool{
			Name:        fmt.Sprintf("search_orders_%d", i),
			Title:       new(fmt.Sprintf("Search orders %d", i)),
			Description: new("Searches the orders of one customer by text, state and date.\nReturns at most \"limit\" of them, newest first."),
			InputSchema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","description":"text to look for","minLength":1},"state":{"type":"string","enum":["open","paid","shipped","returned"]},"limit":{"type":"integer","minimum":1,"maximum":100,"default":20},"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true}},"required":["query"],"additionalProperties":false}`),
			Annotations: &Annotations{ReadOnly: new(true), Idempotent: new(i%2 == 0)},
		}
	}
	return list
}

// LongText returns a text of n bytes with a line break in every line of 64.
func LongText(n int) string {
	const line = "All work and no play makes for a text that is easy to measure.\n"
	return strings.Repeat(line, n/len(line)+1)[:n]
}

// ManyRows returns n rows.
func ManyRows(n int) *Rows {
	rows := &Rows{Rows: make([]Row, n)}
	for i := range rows.Rows {
		r := &rows.Rows[i]
		*r = Row{
			ID: int64(i) * 7919, Name: fmt.Sprintf("Customer Nº %d", i), Email: fmt.Sprintf("customer.%d@example.com", i),
			Score: float64(i%1000) / 8, Active: i%3 == 0, Created: "2026-07-28T12:34:56Z", Tags: []string{"alpha", "beta"},
		}
		if i%4 == 0 {
			r.Note = new(fmt.Sprintf("called on day %d, said \"later\"", i%365))
		}
	}
	return rows
}
