import type { BodyOf } from '#kernel/schemas'
import type { agentBody, agentItem, versionBody } from './admin/schemas.ts'
import type { toolBody } from './admin/tool-schemas.ts'
import type { userAgent, userAgentPage } from './user/schemas.ts'

/** An agent with its draft. */
export type AgentBody = BodyOf<typeof agentBody>
/** An agent in a list. */
export type AgentRowBody = BodyOf<typeof agentItem>
/** A version of an agent. */
export type AgentVersionBody = BodyOf<typeof versionBody>
/** A tool that agents may be given. */
export type ToolOfferBody = BodyOf<typeof toolBody>
/** An agent that the caller may use. */
export type UserAgentBody = BodyOf<typeof userAgent>
/** A page of them. */
export type UserAgentPageBody = BodyOf<typeof userAgentPage>
