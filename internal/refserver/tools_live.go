package refserver

// Tools that take their time or speak while they work: progress, log lines, lost streams, tasks.

import (
	"context"
	"encoding/json"
	"time"
)

func liveTools() []*tool {
	return []*tool{
		{name: "count_down", title: "Count down", about: "Counts down step by step, reporting progress, and can be cancelled on the way.",
			input: `{"type":"object","properties":{"steps":{"type":"integer","minimum":1,"maximum":100000,"description":"How many steps."},
"pause_ms":{"type":"integer","minimum":0,"description":"Milliseconds between two steps."}},"required":["steps"]}`,
			hints: readOnly, run: countDown},
		{name: "write_log", title: "Write log", about: "Sends log messages to the client, if the client wants their level, and says how many it sent.",
			input: `{"type":"object","properties":{"level":{"type":"string","enum":["debug","info","notice","warning","error","critical","alert","emergency"]},
"message":{"type":"string"},"times":{"type":"integer","minimum":1,"maximum":1000,"default":1}},"required":["level","message"]}`,
			output: `{"type":"object","properties":{"sent":{"type":"integer"}},"required":["sent"]}`, run: writeLog},
		{name: "drop_stream", about: "Cuts the connection of its own answer once; over HTTP the answer waits for whoever resumes the stream.",
			input: `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`, run: dropStream},
		{name: "bake_cake", title: "Bake cake", about: "Bakes a cake of several layers. May run as a task.", tasks: "optional",
			input: `{"type":"object","properties":{"layers":{"type":"integer","minimum":1,"maximum":1000},
"burn":{"type":"string","enum":["never","tool","protocol"],"default":"never","description":"How the baking goes wrong."}},"required":["layers"]}`,
			output: `{"type":"object","properties":{"layers":{"type":"integer"},"smell":{"type":"string"}},"required":["layers","smell"]}`, run: bakeCake},
		{name: "conduct_survey", title: "Conduct survey", about: "Asks a question in the middle of its work. Where tasks exist it runs as one.", tasks: "required",
			input: `{"type":"object","properties":{"topic":{"type":"string"}},"required":["topic"]}`, run: conductSurvey},
	}
}

// pause waits between two steps; it ends early with the call.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func countDown(ctx context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	var in struct {
		Steps   int
		PauseMS *int `json:"pause_ms"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, invalidParams("arguments: %v", err)
	}
	tick := ex.srv.opts.Tick
	if in.PauseMS != nil {
		tick = time.Duration(*in.PauseMS) * time.Millisecond
	}
	for step := 1; step <= in.Steps; step++ {
		if err := pause(ctx, tick); err != nil {
			return nil, err
		}
		ex.progress(step, in.Steps, "counting")
	}
	return say("counted %d steps", in.Steps), nil
}

func writeLog(_ context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	in := struct {
		Level, Message string
		Times          int
	}{Times: 1}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, invalidParams("arguments: %v", err)
	}
	sent := 0
	for i := range in.Times {
		if ex.log(in.Level, "write_log", obj{"message": in.Message, "number": i + 1}) {
			sent++
		}
	}
	return give(obj{"sent": sent}), nil
}

// dropStream first makes sure that the client has an event id to resume from.
func dropStream(ctx context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	s, ok := ex.out.(*stream)
	if !ok || ex.srv.opts.Answer == AnswerJSON {
		return say("%s", stringAt(members(raw), "message")), nil
	}
	s.open()
	s.delivered(ctx, 1)
	s.drop()
	return say("%s", stringAt(members(raw), "message")), nil
}

func bakeCake(ctx context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	var in struct {
		Layers int
		Burn   string
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, invalidParams("arguments: %v", err)
	}
	for layer := 1; layer <= in.Layers; layer++ {
		if err := pause(ctx, ex.srv.opts.Tick); err != nil {
			return nil, err
		}
		ex.progress(layer, in.Layers, "baking")
	}
	switch in.Burn {
	case "tool":
		result := say("the cake is burnt")
		result.isError = true
		return result, nil
	case "protocol":
		return nil, &rpcError{Code: codeInternal, Message: "the oven broke"}
	}
	return give(obj{"layers": in.Layers, "smell": "sweet"}), nil
}

func conductSurvey(ctx context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	topic := stringAt(members(raw), "topic")
	if err := pause(ctx, ex.srv.opts.Tick); err != nil {
		return nil, err
	}
	answers, err := ex.input(ctx, askForm("opinion", "What do you think about "+topic+"?",
		obj{"opinion": obj{"type": "string", "enum": []string{"good", "bad", "unsure"}}}, "opinion"))
	if err != nil {
		return nil, err
	}
	content, refusal, err := accepted(answers["opinion"])
	if err != nil {
		return nil, err
	}
	if refusal != "" {
		return say("no opinion about %s: %s", topic, refusal), nil
	}
	return say("opinion about %s: %s", topic, stringAt(content, "opinion")), nil
}
