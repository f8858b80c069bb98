import { call } from './client.ts'

/** An agent that may be asked. */
export interface Agent {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string
  readonly opening_message: string
  readonly suggested_questions: readonly string[]
}

/** Some of the agents that may be asked, and how many there are. */
interface AgentPage {
  readonly items: readonly Agent[]
  readonly total: number
}

/** Where agents are listed. */
export const agentsPath = '/ai/agents'

/** Agents that words fit, or the first of all. */
export function findAgents(q: string, most: number, signal: AbortSignal): Promise<AgentPage> {
  return call<AgentPage>('GET', agentsPath, { query: { q, page_size: most }, signal })
}

/** The agent with an id, where it is among those that may be asked. */
export async function findAgent(id: string, signal: AbortSignal): Promise<Agent | null> {
  const { items } = await call<AgentPage>('GET', agentsPath, { query: { id }, signal })
  return items[0] ?? null
}
