// Reference calls every shape of tool of the project's reference server through its generated client.
package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp"

	ref "example.test/caller/reference"
)

// same prints whether an echoing tool gave back what was sent.
func same[A, O any](sent A, got *mcp.ToolResult[O]) {
	a, b := string(must(json.Marshal(sent))), string(must(json.Marshal(got.Output)))
	if a != b {
		fmt.Println("sent", a, "got", b)
		return
	}
	fmt.Println(a)
}

func main() {
	ctx, cancel := limited()
	defer cancel()
	transport, opts := opened()
	client := must(ref.Connect(ctx, transport, append(opts, mcp.WithArgumentValidation())...))
	defer client.Close()

	fmt.Println(text(must(client.Greet(ctx, ref.GreetArgs{Name: "Ada", Greeting: new(""), Loud: new(true)}))))
	fmt.Println(must(client.Add(ctx, ref.AddArgs{A: 0.1, B: 0.25})).Output.Sum)

	scalars := ref.EchoScalarsArgs{Text: "\u2028<&>", Count: -1 << 62, Ratio: 1e-7, Note: new(""), Limit: new(int64(0)), DryRun: new(false)}
	same(scalars, must(client.EchoScalars(ctx, scalars)))
	priority := must(client.SetPriority(ctx, ref.SetPriorityArgs{Ticket: "T-1", Level: ref.SetPriorityArgsLevel1})).Output
	fmt.Println(priority.Ticket, priority.Level == ref.SetPriorityOutputLevel1, priority.Urgent)
	scores := must(client.SummariseScores(ctx, ref.SummariseScoresArgs{Scores: []float64{1, 2, 6}, Labels: []string{"a", "b"}, Grid: [][]int64{{1}, {}, {2, 3}}})).Output
	fmt.Println(scores.Count, scores.Mean, scores.Label, scores.Cells)

	tags := ref.TagItemArgs{Item: "x", Tags: map[string]string{}, Weights: map[string][]int64{"w": {1, 2}, "none": {}}, Settings: &ref.TagItemArgsSettings{Colour: new("red"), Extra: map[string]bool{"on": true}}}
	same(tags, must(client.TagItem(ctx, tags)))
	event := ref.RecordEventArgs{Kind: "k", Payload: []any{1, "two", nil}, Details: map[string]any{"deep": map[string]any{"n": json.Number("1.50")}}}
	same(event, must(client.RecordEvent(ctx, event)))

	home := ref.Address{Street: "s", City: "c", Country: "DE"}
	order := must(client.PlaceOrder(ctx, ref.PlaceOrderArgs{
		Customer: ref.PlaceOrderArgsCustomer{Name: "A", Address: home},
		Lines:    []ref.PlaceOrderArgsLinesItem{{Product: "p", Quantity: 2, Price: ref.Money{Amount: 1.5, Currency: ref.MoneyCurrencyEUR}}},
		Gift:     &ref.PlaceOrderArgsGift{Wrap: new(false)},
	})).Output
	fmt.Println(order.Total.Amount, order.Total.Currency, order.To.City, order.Items)
	fmt.Println(must(client.ShipParcel(ctx, ref.ShipParcelArgs{To: home, Weight: 1.2})).Output.Price.Amount)

	profile := ref.UpdateProfileArgs{Age: mcp.Null[int64](), Address: mcp.Value(home), Scores: []*float64{new(1.0), nil}}
	same(profile, must(client.UpdateProfile(ctx, profile)))
	profile = ref.UpdateProfileArgs{Nickname: new("n"), Age: mcp.Value[int64](0), Motto: new("m")}
	same(profile, must(client.UpdateProfile(ctx, profile)))

	fmt.Printf("%T\n", must(client.DrawShape(ctx, ref.DrawShapeArgs{Shape: &ref.Circle{Radius: 1}})).Output.Shape)
	polygon := must(client.DrawShape(ctx, ref.DrawShapeArgs{Shape: &ref.Polygon{Points: []ref.Point{{}, {Item0: 2}, {Item1: 2}}}})).Output
	fmt.Println(polygon.Area, len(polygon.Shape.(*ref.Polygon).Points))
	grown := must(client.GrowTree(ctx, ref.GrowTreeArgs{Depth: 3, Children: 2})).Output.Root
	fmt.Println(grown.Children[1].Children[0].Name)
	unsigned := ref.EchoBigArgs{Signed: -9007199254740993, Unsigned: new(uint64(1<<64 - 1)), Huge: new(mcp.Number("99999999999999999999999999999")), Precise: new(0.1)}
	same(unsigned, must(client.EchoBig(ctx, unsigned)))
	user := ref.RegisterUserArgs{User: "ada_1", Age: 36, Rating: new(4.5), Languages: []string{"go"}, Contact: map[string]string{"mail": "a@b"}}
	same(user, must(client.RegisterUser(ctx, user)))
	region := ref.QueryRegionArgs{Region: "Zürich ", Shard: new(int64(42)), Fresh: new(true), Tenant: &ref.QueryRegionArgsTenant{ID: new("=?base64?x?=")}, Query: "q"}
	same(region, must(client.QueryRegion(ctx, region)))
	region = ref.QueryRegionArgs{}
	same(region, must(client.QueryRegion(ctx, region)))

	failures(client)
	content(client)
	if client.Conn().Session().Stateless {
		anyRoot(client)
	}
}

// anyRoot calls the tools whose output is no object, which only 2026-07-28 has.
func anyRoot(client *ref.Client) {
	ctx, cancel := limited()
	defer cancel()
	fmt.Println(must(client.ListColours(ctx)).Output)
	fmt.Println(must(client.ConvertTemperature(ctx, ref.ConvertTemperatureArgs{Value: 100, From: ref.ConvertTemperatureArgsFromCelsius, To: new(ref.ConvertTemperatureArgsToFahrenheit)})).Output)
	for _, key := range []ref.FindItemArgsKey{ref.FindItemArgsKeyInt(12), ref.FindItemArgsKeyString("name")} {
		fmt.Printf("%#v\n", must(client.FindItem(ctx, ref.FindItemArgs{Key: key, Also: ref.FindItemArgsAlsoStringArray{"x"}})).Output)
	}
	fmt.Println(must(client.MeasureTree(ctx, ref.MeasureTreeArgs{Root: ref.Tree{Name: "a", Children: []ref.Tree{{Name: "b"}}}})).Output)
	fmt.Println(must(client.PlotPoint(ctx, ref.PlotPointArgs{Point: ref.PlotPointArgsPoint{Item0: 1, Item1: 2, Item2: new("here")}, Step: &ref.PlotPointArgsStep{Item0: 0.5, Item1: -1}})).Output)
	fmt.Println(must(client.ScheduleMeeting(ctx, ref.ScheduleMeetingArgs{Start: "2026-01-01T09:00:00+01:00", Minutes: new(int64(90))})).Output)
	fmt.Println(must(client.IsEven(ctx, ref.IsEvenArgs{Number: 3})).Output)
	fmt.Println(*must(client.LookUpWord(ctx, ref.LookUpWordArgs{Word: "Gopher"})).Output, must(client.LookUpWord(ctx, ref.LookUpWordArgs{Word: "x"})).Output == nil)
	for _, m := range must(client.ListMeasurements(ctx, ref.ListMeasurementsArgs{Count: 2})).Output {
		fmt.Printf("%T ", m)
	}
	fmt.Printf("\n%#v\n", must(client.CheckStock(ctx, ref.CheckStockArgs{Product: "nails"})).Output)
	fmt.Println(must(client.CheckStock(ctx, ref.CheckStockArgs{Product: "rare"})).Output.(*ref.CheckStockOutputWithReason).Reason)
}

func failures(client *ref.Client) {
	ctx, cancel := limited()
	defer cancel()
	_, err := client.Fail(ctx, ref.FailArgs{Message: new("ouch")})
	var refused *mcp.ToolError
	fmt.Println(errors.As(err, &refused), text(refused.Result))
	_, err = client.Fail(ctx, ref.FailArgs{How: new(ref.FailArgsHowProtocol)})
	var rpc *mcp.RPCError
	fmt.Println(errors.As(err, &rpc), rpc.Code)
	_, err = client.Fail(ctx, ref.FailArgs{How: new(ref.FailArgsHowSchema)})
	fmt.Println(err != nil)
	_, err = client.RegisterUser(ctx, ref.RegisterUserArgs{User: "ada", Age: 12})
	var invalid *mcp.ValidationError
	fmt.Println(errors.As(err, &invalid), invalid.Pointer, invalid.Rule)
	_, err = client.RegisterUser(ctx, ref.RegisterUserArgs{User: "ada", Age: 20, Languages: []string{"go", "go"}})
	fmt.Println(errors.As(err, &invalid), invalid.Pointer, invalid.Rule)
}

func content(client *ref.Client) {
	ctx, cancel := limited()
	defer cancel()
	for _, block := range must(client.ShowContent(ctx, ref.ShowContentArgs{Annotated: new(true)})).Content {
		fmt.Printf("%T ", block)
	}
	fmt.Println()
	prompt := must(client.PromptReviewText(ctx, ref.PromptReviewTextArgs{Text: "abc", Length: new("long")}))
	fmt.Println(prompt.Messages[0].Content.(*mcp.TextContent).Text)
	for _, read := range []*mcp.ReadResourceResult{
		must(client.ResourceTicket(ctx, ref.ResourceTicketArgs{ID: "T/1 ü"})),
		must(client.ResourceSearch(ctx, ref.ResourceSearchArgs{Q: new("a&b"), Limit: new("5")})),
		must(client.ResourceSearch(ctx, ref.ResourceSearchArgs{})),
		must(client.ResourceFile(ctx, ref.ResourceFileArgs{Path: "docs/a/readme.txt"})),
	} {
		fmt.Println(read.Contents[0].(*mcp.TextResourceContents).Text)
	}
}
