import type { McpServerBody, McpServerRowBody, McpTestBody, McpToolBody } from '../../../mcp/wire.ts'

/** A server of tools, as lists show one. */
export type McpServerRow = McpServerRowBody
/** A server with its tools. */
export type McpServer = McpServerBody
/** How the platform proves to a server who it is. */
export type McpAuth = McpServerRowBody['auth']
/** A tool of a server: as it is, and what of it is another than was approved. */
export type McpTool = McpToolBody
/** What a tool does, as somebody said who allowed it. */
export type McpEffect = McpToolBody['effect']
/** When the user is asked before a call. */
export type McpConfirm = McpToolBody['confirm']
/** What a test found. */
export type McpTest = McpTestBody

/** Where servers are administered. */
export const serversPath = '/admin/ai/mcp-servers'
