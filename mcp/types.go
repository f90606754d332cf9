package mcp

// The everyday types of the protocol, as the newest version has them. The versioned packages serve
// those who pin a version.

import (
	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Tools.
type (
	Tool            = v20260728.Tool
	ToolAnnotations = v20260728.ToolAnnotations
	CallToolResult  = v20260728.CallToolResult
	ListToolsResult = v20260728.ListToolsResult
)

// Content.
type (
	ContentBlock         = v20260728.ContentBlock
	TextContent          = v20260728.TextContent
	ImageContent         = v20260728.ImageContent
	AudioContent         = v20260728.AudioContent
	ResourceLink         = v20260728.ResourceLink
	EmbeddedResource     = v20260728.EmbeddedResource
	UnknownContentBlock  = v20260728.UnknownContentBlock
	TextResourceContents = v20260728.TextResourceContents
	BlobResourceContents = v20260728.BlobResourceContents
	Annotations          = v20260728.Annotations
	Icon                 = v20260728.Icon
	Role                 = v20260728.Role
	MetaObject           = v20260728.MetaObject
)

// Resources and prompts.
type (
	Resource                    = v20260728.Resource
	ResourceTemplate            = v20260728.ResourceTemplate
	ListResourcesResult         = v20260728.ListResourcesResult
	ListResourceTemplatesResult = v20260728.ListResourceTemplatesResult
	ReadResourceResult          = v20260728.ReadResourceResult
	Prompt                      = v20260728.Prompt
	PromptArgument              = v20260728.PromptArgument
	PromptMessage               = v20260728.PromptMessage
	ListPromptsResult           = v20260728.ListPromptsResult
	GetPromptResult             = v20260728.GetPromptResult
	CompleteResult              = v20260728.CompleteResult
)

// Who is who, and what they can do.
type (
	Implementation     = v20260728.Implementation
	ServerCapabilities = v20260728.ServerCapabilities
	DiscoverResult     = v20260728.DiscoverResult
	LoggingLevel       = v20260728.LoggingLevel
)

// What servers ask of clients, and the answers.
type (
	InputRequest               = v20260728.InputRequest
	InputRequests              = v20260728.InputRequests
	ElicitRequest              = v20260728.ElicitRequest
	ElicitRequestFormParams    = v20260728.ElicitRequestFormParams
	ElicitRequestURLParams     = v20260728.ElicitRequestURLParams
	ElicitResult               = v20260728.ElicitResult
	ElicitResultContentValue   = v20260728.ElicitResultContentValue
	CreateMessageRequest       = v20260728.CreateMessageRequest
	CreateMessageRequestParams = v20260728.CreateMessageRequestParams
	CreateMessageResult        = v20260728.CreateMessageResult
	CreateMessageResultContent = v20260728.CreateMessageResultContent
	SamplingMessage            = v20260728.SamplingMessage
	ModelPreferences           = v20260728.ModelPreferences
	ModelHint                  = v20260728.ModelHint
	ToolUseContent             = v20260728.ToolUseContent
	ToolResultContent          = v20260728.ToolResultContent
	ListRootsRequest           = v20260728.ListRootsRequest
	Root                       = v20260728.Root
)

// The fields of forms.
type (
	PrimitiveSchemaDefinition      = v20260728.PrimitiveSchemaDefinition
	StringSchema                   = v20260728.StringSchema
	NumberSchema                   = v20260728.NumberSchema
	BooleanSchema                  = v20260728.BooleanSchema
	UntitledSingleSelectEnumSchema = v20260728.UntitledSingleSelectEnumSchema
	TitledSingleSelectEnumSchema   = v20260728.TitledSingleSelectEnumSchema
	UntitledMultiSelectEnumSchema  = v20260728.UntitledMultiSelectEnumSchema
	TitledMultiSelectEnumSchema    = v20260728.TitledMultiSelectEnumSchema
	LegacyTitledEnumSchema         = v20260728.LegacyTitledEnumSchema
)

// Number is a JSON number with all its digits.
type Number = jsonwire.Number

// Nullable is a value that may be absent, null or there; its zero value is absent.
type Nullable[T any] = jsonwire.Nullable[T]

// Value returns v as a Nullable that is there.
func Value[T any](v T) Nullable[T] { return jsonwire.Value(v) }

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] { return jsonwire.Null[T]() }

// Validator collects what is wrong with a value.
type Validator = jsonwire.Validator

const runtimeVersion = "0.1.0"

// IsAtLeastVersion0_1_0 is named by code that mcpgen 0.1.0 generates. If it is not defined where you
// build, the runtime is older than the generated code: update github.com/mcpgen/mcpgen.
const IsAtLeastVersion0_1_0 = true
