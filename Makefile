# Everyday targets. `make` and `make help` list them; .ci/run runs what CI runs.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO       ?= go
FUZZTIME ?= 30s

# Pinned here and nowhere else; kept out of go.mod, whose requirements users inherit.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Modules of their own: built and tested where they lie.
NESTED := $(shell git ls-files '*/go.mod' | grep -v testdata/ | xargs -r -n1 dirname)

.PHONY: demo generate test lint fuzz bench conformance help

demo: ## start the reference server, generate a client, compile it, call it over stdio and HTTP in both eras
	$(GO) run ./internal/demo

generate: ## write everything generated again: tools_gen.go, mcp/generated, tables; all of it is committed
	$(GO) generate ./...
	@for dir in $(NESTED); do (cd $$dir && $(GO) generate ./...); done

test: ## run all tests
	$(GO) test -timeout 30m ./...
	@for dir in $(NESTED); do (cd $$dir && echo "in $$dir" && $(GO) test ./...); done

lint: ## formatting, go vet and staticcheck
	@unformatted=$$(git ls-files '*.go' | grep -v '/testdata/' | xargs gofmt -l); \
	  if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	@for dir in $(NESTED); do (cd $$dir && echo "in $$dir" && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./...); done

fuzz: ## run every fuzz target for FUZZTIME (30s)
	@GO=$(GO) FUZZTIME=$(FUZZTIME) .ci/fuzz

bench: ## measure beside other clients and the floor; print the table and keep it in doc/performance.md
	cd bench && $(GO) run . -keep ../doc/performance.md

conformance: ## run the official client scenarios in scope on every wire (needs npm)
	$(GO) test ./internal/conformance -count=1 -v -all

help: ## list the targets
	@grep -hE '^[a-z]+: .*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | awk -F'\t' '{ printf "  %-12s %s\n", $$1, $$2 }'
