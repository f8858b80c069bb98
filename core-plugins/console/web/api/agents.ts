import type { UserAgentBody, UserAgentPageBody } from '../../../agents/wire.ts'
import { call } from './client.ts'

/** An agent that may be asked. */
export type Agent = UserAgentBody

/** Where agents are listed. */
export const agentsPath = '/ai/agents'

/** Agents that words fit, or the first of all. */
export function findAgents(q: string, most: number, signal: AbortSignal): Promise<UserAgentPageBody> {
  return call<UserAgentPageBody>('GET', agentsPath, { query: { q, page_size: most }, signal })
}

/** The agent with an id, where it is among those that may be asked. */
export async function findAgent(id: string, signal: AbortSignal): Promise<Agent | null> {
  const { items } = await call<UserAgentPageBody>('GET', agentsPath, { query: { id }, signal })
  return items[0] ?? null
}
