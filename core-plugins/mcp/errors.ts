import { defineError } from '#kernel'

export const McpServerNotFoundError = defineError(4040, 'mcp_server_not_found', 'There is no such MCP server')
export const McpTooManyServersError = defineError(
  4002,
  'too_many_mcp_servers',
  'There are as many MCP servers as a tenant may have, {most}',
)
export const McpServerNameTakenError = defineError(4091, 'mcp_server_name_taken', 'There is an MCP server of this name')
/** A field that is well formed and yet cannot be: its faults stand in `errors`. */
export const McpInvalidError = defineError(4229, 'mcp_invalid', 'Something of the MCP server cannot be')
export const McpToolChangedError = defineError(
  4094,
  'mcp_tool_changed',
  'The tool is another one by now: look at it again',
)
/** What the server says is told to nobody but administrators. */
export const McpUnreachableError = defineError(5021, 'mcp_unreachable', 'The MCP server cannot be reached')
export const McpTimeoutError = defineError(5021, 'mcp_timeout', 'The MCP server took too long')
export const McpAuthError = defineError(5021, 'mcp_auth_failed', 'The MCP server refused its credentials')
export const McpAnswerError = defineError(5021, 'mcp_bad_answer', 'What the MCP server answered cannot be used: {why}')
export const McpTooLargeError = defineError(5021, 'mcp_answer_too_large', 'The MCP server answered with too much')
export const McpRefusedError = defineError(5021, 'mcp_refused', 'The MCP server refused the request: {why}')
export const McpToolFailedError = defineError(5024, 'mcp_tool_failed', 'The tool failed: {why}')
export const McpBusyError = defineError(4298, 'mcp_server_busy', 'Too many calls of the MCP server at once')
export const McpToolOffError = defineError(4040, 'mcp_tool_off', 'There is no such tool')
export const McpKeyScopeError = defineError(4031, 'mcp_key_scope', 'This key is not for the Model Context Protocol')
/** Of a page that is none of the platform's or a tenant's. */
export const McpOriginError = defineError(4030, 'mcp_origin', 'Pages of this origin may not call')
export const McpQuotaError = defineError(4296, 'mcp_quota_exceeded', 'The quota {quota} is used up')
export const McpBusyListenersError = defineError(4298, 'mcp_too_many_streams', 'Too many streams at once')
