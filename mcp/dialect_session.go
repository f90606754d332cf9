package mcp

// The era of sessions, 2024-11-05 to 2025-11-25: initialize agrees on everything, both sides may
// ask, a wait is called off by a notification.

import "github.com/mcpgen/mcpgen/mcp/jsonwire"

type sessionDialect struct{ agreed string }

func (d *sessionDialect) version() string { return d.agreed }

func (d *sessionDialect) writeMeta(w *jsonwire.Writer, m metaFacts) { writeToken(w, m) }

func (d *sessionDialect) bareMeta(m metaFacts) bool { return !m.progress }

// address leaves the version out of initialize, which old servers would refuse to read otherwise (B062).
func (d *sessionDialect) address(out *Outgoing, a addressFacts) error {
	if out.Method != methodInitialize {
		out.Version = d.agreed
	}
	return nil
}

// outcome is complete, since resultType does not exist in this era, unless a task was asked for; a
// server may ignore that wish (C-276).
func (d *sessionDialect) outcome(r *jsonwire.Reader, f outcomeFacts) (outcome, error) {
	if f.asked && r.Has("task") {
		return outcomeTask, nil
	}
	return outcomeComplete, nil
}

func (d *sessionDialect) cancelsByMessage(bool) bool { return true }
func (d *sessionDialect) servesRequests() bool       { return true }
func (d *sessionDialect) batches() bool              { return d.agreed == Version20250326 }
