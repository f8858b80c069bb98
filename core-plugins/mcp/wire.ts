import type { BodyOf } from '#kernel/schemas'
import type { serverBody, serverItem, testResult, toolBody } from './servers/schemas.ts'

/** A server of tools in a list. */
export type McpServerRowBody = BodyOf<typeof serverItem>
/** A server with its tools. */
export type McpServerBody = BodyOf<typeof serverBody>
/** A tool of a server. */
export type McpToolBody = BodyOf<typeof toolBody>
/** What a test found. */
export type McpTestBody = BodyOf<typeof testResult>
