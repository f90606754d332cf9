module github.com/mcpgen/mcpgen/bench

go 1.26

require (
	github.com/go-faster/jx v1.2.0
	github.com/mcpgen/mcpgen v0.0.0
)

require (
	github.com/go-faster/errors v0.7.1 // indirect
	github.com/segmentio/asm v1.2.1 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace github.com/mcpgen/mcpgen => ../
