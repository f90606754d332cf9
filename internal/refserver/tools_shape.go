package refserver

// Tools whose arguments have a shape: nested, nullable, united, recursive, bounded, bound to headers.

import (
	"encoding/json"
	"fmt"
	"math"
)

// Definitions that several tools share word for word.
const (
	addressDef = `"Address":{"type":"object","description":"A postal address.","properties":{"street":{"type":"string"},"city":{"type":"string"},
"country":{"type":"string","pattern":"^[A-Z]{2}$","description":"Two capital letters."}},"required":["street","city","country"],"additionalProperties":false}`
	moneyDef = `"Money":{"type":"object","description":"An amount in some currency.","properties":{"amount":{"type":"number","minimum":0},
"currency":{"type":"string","enum":["EUR","USD","JPY"]}},"required":["amount","currency"],"additionalProperties":false}`
	shapeDef = `"Shape":{"oneOf":[{"$ref":"#/$defs/Circle"},{"$ref":"#/$defs/Rectangle"},{"$ref":"#/$defs/Polygon"}]},
"Circle":{"type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number","exclusiveMinimum":0}},"required":["kind","radius"]},
"Rectangle":{"type":"object","properties":{"kind":{"const":"rectangle"},"width":{"type":"number"},"height":{"type":"number"}},"required":["kind","width","height"]},
"Polygon":{"type":"object","properties":{"kind":{"const":"polygon"},"points":{"type":"array","items":{"$ref":"#/$defs/Point"},"minItems":3}},"required":["kind","points"]},
"Point":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false,"minItems":2,"maxItems":2}`
	treeDef = `"Tree":{"type":"object","description":"A node and the trees below it.","properties":{"name":{"type":"string"},
"children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}},"required":["name"]}`
)

const profileSchema = `{"type":"object","properties":{
"nickname":{"type":["string","null"],"description":"Required; null takes the nickname away."},
"age":{"type":["integer","null"],"description":"Left out keeps the age, null clears it."},
"motto":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"description":"Null and left out mean the same."},
"address":{"anyOf":[{"$ref":"#/$defs/Address"},{"type":"null"}],"description":"Left out keeps the address, null clears it."},
"scores":{"type":"array","items":{"type":["number","null"]},"description":"Numbers with gaps."}},
"required":["nickname"],"$defs":{` + addressDef + `}}`

const bigSchema = `{"type":"object","properties":{"signed":{"type":"integer","description":"May exceed 2^53."},
"unsigned":{"type":"integer","minimum":0,"maximum":18446744073709551615},
"huge":{"type":"integer","minimum":-100000000000000000000000000000,"maximum":100000000000000000000000000000},
"precise":{"type":"number","description":"Give it as many digits as you like."}},"required":["signed"]}`

const registrationSchema = `{"type":"object","properties":{
"user":{"type":"string","minLength":3,"maxLength":16,"pattern":"^[a-z][a-z0-9_]*$","description":"Small letters, digits and underscores."},
"age":{"type":"integer","minimum":13,"exclusiveMaximum":150},
"rating":{"type":"number","minimum":0,"maximum":5,"multipleOf":0.5},
"languages":{"type":"array","items":{"type":"string","minLength":2},"minItems":1,"maxItems":4,"uniqueItems":true},
"contact":{"type":"object","additionalProperties":{"type":"string"},"minProperties":1,"maxProperties":3}},
"required":["user","age"],"additionalProperties":false}`

const regionSchema = `{"type":"object","properties":{
"region":{"type":"string","x-mcp-header":"Region","description":"Where the query runs."},
"shard":{"type":"integer","x-mcp-header":"Shard","description":"Which part of the data."},
"fresh":{"type":"boolean","x-mcp-header":"Fresh","description":"Leave caches out."},
"tenant":{"type":"object","properties":{"id":{"type":"string","x-mcp-header":"Tenant-Id"},"plan":{"type":"string"}},"description":"Who asks."},
"query":{"type":"string"}},"required":["region","query"]}`

func shapeTools() []*tool {
	return []*tool{
		{name: "place_order", title: "Place order", about: "Places an order of several lines, delivered to one address, and says what it costs.",
			input: `{"type":"object","properties":{"customer":{"type":"object","properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/Address"}},"required":["name","address"]},
"lines":{"type":"array","minItems":1,"items":{"type":"object","properties":{"product":{"type":"string"},"quantity":{"type":"integer","minimum":1},"price":{"$ref":"#/$defs/Money"}},
"required":["product","quantity","price"]}},"gift":{"type":"object","properties":{"message":{"type":"string"},"wrap":{"type":"boolean","default":true}}}},
"required":["customer","lines"],"$defs":{` + addressDef + `,` + moneyDef + `}}`,
			output: `{"type":"object","properties":{"total":{"$ref":"#/$defs/Money"},"to":{"$ref":"#/$defs/Address"},"items":{"type":"integer"}},
"required":["total","to","items"],"$defs":{` + addressDef + `,` + moneyDef + `}}`,
			hints: obj{"destructiveHint": false}, run: reading(placeOrder)},
		{name: "ship_parcel", title: "Ship parcel", about: "Quotes the price of sending a parcel to an address.",
			input: `{"type":"object","properties":{"to":{"$ref":"#/$defs/Address"},"weight":{"type":"number","exclusiveMinimum":0,"description":"In kilograms."}},
"required":["to","weight"],"$defs":{` + addressDef + `}}`,
			output: `{"type":"object","properties":{"price":{"$ref":"#/$defs/Money"}},"required":["price"],"$defs":{` + moneyDef + `}}`,
			hints:  readOnly, run: reading(shipParcel)},
		{name: "update_profile", title: "Update profile", about: "Updates a profile whose members may be set, cleared with null, or left alone, and gives back what it understood.",
			input: profileSchema, output: profileSchema, run: echoing},
		{name: "find_item", title: "Find item", about: "Finds an item by its number or by its name. The answer is a number for a name, and a name for a number.",
			input:  `{"type":"object","properties":{"key":{"type":["string","integer"],"description":"A name, or a number."},"also":{"anyOf":[{"type":"boolean"},{"type":"array","items":{"type":"string"}}]}},"required":["key"]}`,
			output: `{"type":["string","integer"]}`, hints: readOnly, run: reading(findItem)},
		{name: "draw_shape", title: "Draw shape", about: "Draws a circle, a rectangle or a polygon, and gives its area and the shape that it drew.",
			input:  `{"type":"object","properties":{"shape":{"$ref":"#/$defs/Shape"},"colour":{"type":"string"}},"required":["shape"],"$defs":{` + shapeDef + `}}`,
			output: `{"type":"object","properties":{"area":{"type":"number"},"shape":{"$ref":"#/$defs/Shape"}},"required":["area","shape"],"$defs":{` + shapeDef + `}}`,
			hints:  readOnly, run: reading(drawShape)},
		{name: "measure_tree", title: "Measure tree", about: "Counts the nodes of a tree of any depth.",
			input:  `{"type":"object","properties":{"root":{"$ref":"#/$defs/Tree"}},"required":["root"],"$defs":{` + treeDef + `}}`,
			output: `{"type":"integer","minimum":1}`,
			hints:  readOnly, run: reading(func(in struct{ Root tree }) *toolResult { return give(in.Root.count()) })},
		{name: "grow_tree", about: "Grows a tree of the given depth in which every node has the given number of children.",
			input:  `{"type":"object","properties":{"depth":{"type":"integer","minimum":0,"maximum":6},"children":{"type":"integer","minimum":0,"maximum":4}},"required":["depth","children"]}`,
			output: `{"type":"object","properties":{"root":{"$ref":"#/$defs/Tree"}},"required":["root"],"$defs":{` + treeDef + `}}`,
			hints:  readOnly, run: reading(func(in struct{ Depth, Children int }) *toolResult {
				return give(obj{"root": grow("root", in.Depth, in.Children)})
			})},
		{name: "plot_point", title: "Plot point", about: "Moves a point, given as a pair of numbers and an optional label, by a step, and gives the new pair.",
			input: `{"type":"object","properties":{"point":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"},{"type":"string"}],"items":false,"minItems":2},
"step":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false,"minItems":2,"maxItems":2}},"required":["point"]}`,
			output: `{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false,"minItems":2,"maxItems":2}`,
			hints:  readOnly, run: reading(plotPoint)},
		{name: "echo_big", about: "Gives back numbers with every digit, however many there are.",
			input: bigSchema, output: bigSchema, hints: readOnly, run: echoing},
		{name: "register_user", title: "Register user", about: "Registers a user if every value keeps within its bounds.",
			input: registrationSchema, output: registrationSchema, run: echoing},
		{name: "query_region", title: "Query region", about: "Runs a query in a region. Over HTTP the region, the shard, the freshness and the tenant travel in headers too.",
			input: regionSchema, output: regionSchema, hints: readOnly, run: echoing},
	}
}

type address struct {
	Street  string `json:"street"`
	City    string `json:"city"`
	Country string `json:"country"`
}

type money struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

func placeOrder(in struct {
	Customer struct{ Address address }
	Lines    []struct {
		Quantity int
		Price    money
	}
}) *toolResult {
	total, items := money{Currency: in.Lines[0].Price.Currency}, 0
	for _, line := range in.Lines {
		total.Amount += float64(line.Quantity) * line.Price.Amount
		items += line.Quantity
	}
	return give(obj{"total": total, "to": in.Customer.Address, "items": items})
}

func shipParcel(in struct {
	To     address
	Weight float64
}) *toolResult {
	return give(obj{"price": money{4 + 2*math.Ceil(in.Weight), "EUR"}})
}

func findItem(in struct{ Key any }) *toolResult {
	if name, ok := in.Key.(string); ok {
		return give(len(name))
	}
	return give(fmt.Sprintf("item %v", in.Key))
}

func drawShape(in struct{ Shape json.RawMessage }) *toolResult {
	var s struct {
		Radius, Width, Height float64
		Points                [][2]float64
	}
	_ = json.Unmarshal(in.Shape, &s)
	area := math.Pi*s.Radius*s.Radius + s.Width*s.Height
	for i, p := range s.Points {
		q := s.Points[(i+1)%len(s.Points)]
		area += (p[0]*q[1] - p[1]*q[0]) / 2
	}
	return give(obj{"area": math.Abs(area), "shape": in.Shape})
}

type tree struct {
	Name     string `json:"name"`
	Children []tree `json:"children,omitempty"`
}

func (t tree) count() int {
	n := 1
	for _, child := range t.Children {
		n += child.count()
	}
	return n
}

func grow(name string, depth, children int) tree {
	t := tree{Name: name}
	for i := 0; depth > 0 && i < children; i++ {
		t.Children = append(t.Children, grow(fmt.Sprintf("%s.%d", name, i+1), depth-1, children))
	}
	return t
}

func plotPoint(in struct {
	Point []any
	Step  [2]float64
}) *toolResult {
	return give([]any{in.Point[0].(float64) + in.Step[0], in.Point[1].(float64) + in.Step[1]})
}
