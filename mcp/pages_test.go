package mcp

// Addresses that a server supplies lead nowhere by themselves.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// lure counts who comes to its address.
func lure(t *testing.T) (address string, visits *atomic.Int32) {
	t.Helper()
	visits = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, visits
}

// B158: icons, web sites, links and embedded resources are for people; nobody fetches them.
func TestB158AddressesInAnswersAreNotFetched(t *testing.T) {
	address, visits := lure(t)
	info := `{"name":"s","version":"1","websiteUrl":"LURE/site","icons":[{"src":"LURE/icon.png"},{"src":"javascript:alert(1)"}]}`
	icons := `"icons":[{"src":"LURE/icon.png","mimeType":"image/png"},{"src":"file:///etc/passwd"}]`
	answers := map[string]string{
		methodListTools:     `{"tools":[{"name":"t","inputSchema":{"type":"object","$id":"LURE/schema"},` + icons + `}]}`,
		methodListResources: `{"resources":[{"uri":"LURE/listed","name":"r",` + icons + `}]}`,
		methodListTemplates: `{"resourceTemplates":[{"uriTemplate":"LURE/{x}","name":"r",` + icons + `}]}`,
		methodListPrompts:   `{"prompts":[{"name":"p",` + icons + `}]}`,
		methodGetPrompt:     `{"messages":[{"role":"user","content":{"type":"resource_link","uri":"LURE/link","name":"l",` + icons + `}}]}`,
		methodReadResource:  `{"contents":[{"uri":"LURE/elsewhere","text":"x"}]}`,
		methodCallTool: `{"content":[{"type":"resource_link","uri":"LURE/link","name":"l",` + icons + `},` +
			`{"type":"resource_link","uri":"http://169.254.169.254/x","name":"m"},{"type":"resource","resource":{"uri":"LURE/embedded","text":"x"}}]}`,
	}
	play := func(m message) []string {
		return []string{m.result(strings.ReplaceAll(answers[m.Method], "LURE", address))}
	}
	for _, version := range []string{Version20251125, Version20260728} {
		script := legacy(version, play)
		if version == Version20260728 {
			script = modern(play)
		}
		server := newHTTPServer(t, jsonScript(func(m message) []string {
			lines := script(m)
			for i := range lines {
				lines[i] = strings.Replace(lines[i], `{"name":"fake","version":"0"}`, strings.ReplaceAll(info, "LURE", address), 1)
			}
			return lines
		}))
		c := connect(t, HTTP(server.URL))
		ctx := t.Context()
		for name, ask := range map[string]func() (int, error){
			"tools":     func() (int, error) { l, err := c.ListTools(ctx); return len(l), err },
			"resources": func() (int, error) { l, err := c.ListResources(ctx); return len(l), err },
			"templates": func() (int, error) { l, err := c.ListResourceTemplates(ctx); return len(l), err },
			"prompts":   func() (int, error) { l, err := c.ListPrompts(ctx); return len(l), err },
			"prompt": func() (int, error) {
				p, err := c.GetPrompt(ctx, "p", nil)
				if err != nil {
					return 0, err
				}
				return len(p.Messages), nil
			},
			"resource": func() (int, error) {
				r, err := c.ReadResource(ctx, address+"/read")
				if err != nil {
					return 0, err
				}
				return len(r.Contents), nil
			},
			"call": func() (int, error) {
				r, err := c.CallTool(ctx, "t", nil)
				if err != nil {
					return 0, err
				}
				return len(r.Content), nil
			},
		} {
			if n, err := ask(); err != nil || n == 0 {
				t.Errorf("%s: %s: %d, %v", version, name, n, err)
			}
		}
		if version == Version20251125 && c.Session().Server.WebsiteURL == nil {
			t.Error("the server's web site is not told")
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the lure was visited %d times", n)
	}
}

// B158: a page is for the handler to open; one that is not safe to open does not reach it.
func TestB158PagesAreLeftToTheHandler(t *testing.T) {
	address, visits := lure(t)
	bad := []string{
		"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ftp://example.com/", "http://169.254.169.254/latest/meta-data",
		"http://example.com/", "vbscript:x", "mailto:a@example.com", "JavaScript://example.com/%0aalert(1)", "//example.com/",
	}
	for _, version := range []string{Version20251125, Version20260728} {
		for i, page := range append([]string{address + "/consent", "https://example.com/consent"}, bad...) {
			fine := i < 2
			question := `{"mode":"url","message":"Go","elicitationId":"e","url":"` + page + `"}`
			var asked atomic.Int32
			play := legacy(version, func(m message) []string {
				if asked.Add(1) > 1 {
					return []string{m.result(okResult)}
				}
				return []string{pageError(m, question)}
			})
			if version == Version20260728 {
				play = modern(func(m message) []string {
					if asked.Add(1) > 1 {
						return []string{m.result(okResult)}
					}
					return []string{m.result(`{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":` + question + `}}}`)}
				})
			}
			server := newHTTPServer(t, jsonScript(play))
			var mu sync.Mutex
			var shown []string
			c := connect(t, HTTP(server.URL), WithURLElicitation(func(_ context.Context, req *URLRequest) (*ElicitResult, error) {
				mu.Lock()
				defer mu.Unlock()
				shown = append(shown, req.Params.URL)
				return ElicitDecline(), nil
			}))
			_, err := c.CallTool(t.Context(), "t", nil)
			mu.Lock()
			want := []string{page}
			if !fine {
				want = nil
				if err == nil {
					t.Errorf("%s: %s: the call goes on", version, page)
				}
			}
			if !slices.Equal(shown, want) {
				t.Errorf("%s: %s: the handler was shown %v, %v", version, page, shown, err)
			}
			mu.Unlock()
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the lure was visited %d times", n)
	}
}

// B158: the address of the 2024 transport's endpoint stays at the server, whatever it names.
func TestB158EndpointsStayAtTheServer(t *testing.T) {
	address, visits := lure(t)
	for _, endpoint := range []string{address + "/message", "javascript:alert(1)", "file:///etc/passwd", "http://169.254.169.254/x"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sse(w, "event: endpoint\ndata: "+endpoint+"\n\n")
			<-r.Context().Done()
		}))
		c, err := Connect(t.Context(), HTTP(server.URL, WithSSEOnly()))
		if err == nil {
			_ = c.Close()
			t.Errorf("%s was taken for an endpoint", endpoint)
		}
		server.CloseClientConnections()
		server.Close()
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the lure was visited %d times", n)
	}
}
