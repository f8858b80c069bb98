import type { AgentBody, AgentRowBody, ToolOfferBody } from '../../../agents/wire.ts'

/** An agent with its draft. */
export type Agent = AgentBody
/** An agent as lists show one. */
export type AgentRow = AgentRowBody
/** What an agent is made of; of a field that was emptied nothing is there, though there has to be something. */
export type AgentDefinition = Omit<AgentBody['draft'], 'max_steps'> & { readonly max_steps: number | null }
/** A tool as an agent names it. */
export type NamedTool = AgentBody['draft']['tools'][number]
/** A tool that agents may be given. */
export type ToolOffer = ToolOfferBody
/** Who may use something. */
export type AccessRule = AgentBody['access']
