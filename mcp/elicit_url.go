package mcp

// Which pages a user may be sent to, and what of their address deserves a warning.

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// fill checks the URL and takes it apart. Nothing is fetched (C-188).
func (req *URLRequest) fill() error {
	host, err := checkPage(req.Params.URL)
	if err != nil {
		return err
	}
	req.Host, req.Suspicious = host, suspicious(host)
	if raw, ok := req.Params.Extra["elicitationId"]; ok {
		_ = json.Unmarshal(raw, &req.ElicitationID)
	}
	return nil
}

// checkPage allows https, and http to this machine (C-189).
func checkPage(address string) (host string, err error) {
	if strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return "", errors.New("white space, control characters and backslashes do not belong in a URL")
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("not a URL")
	}
	host = u.Hostname()
	switch {
	case host == "":
		return "", fmt.Errorf("scheme %q without a host: use https", printable(u.Scheme))
	case u.User != nil:
		return "", errors.New("a user name in a URL may hide where it leads")
	case u.Scheme == "https" || u.Scheme == "http" && isLoopback(host):
		return host, nil
	}
	return "", fmt.Errorf("scheme %q: use https", printable(u.Scheme))
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// suspicious reports whether host may be made to look like another.
func suspicious(host string) bool {
	for label := range strings.SplitSeq(strings.ToLower(host), ".") {
		if strings.HasPrefix(label, "xn--") {
			return true
		}
	}
	return strings.ContainsFunc(host, func(r rune) bool { return r > '~' })
}
