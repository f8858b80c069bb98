import type { Knex } from 'knex'
import type { AgentMemory } from '../switches.ts'
import type { MemoryRow } from '../tables.ts'
import { liveOf, type Owner } from '../notes/owner.ts'

/** Tokens of what a model is told of a user. */
export const budgetTokens = 800
const bytesPerToken = 3

/** Where an agent is asked. */
interface Place {
  readonly agentId: string
  readonly conversationId: string | null
  readonly scope: AgentMemory['scope']
}

/** What an agent may be told of a user in a conversation: never more than the user's own. */
export async function tellable(
  owner: Owner,
  { agentId, conversationId, scope }: Place,
  db: Knex,
): Promise<readonly MemoryRow[]> {
  const query = liveOf(owner, db).where((either) => {
    void either.where({ agent_id: agentId })
    if (scope === 'user') void either.orWhereNull('agent_id')
  })
  if (conversationId === null) void query.whereNull('conversation_id')
  else
    void query.where((either) => void either.whereNull('conversation_id').orWhere({ conversation_id: conversationId }))
  return await query.orderBy('created_at')
}

/** The first of them that fit, each text once. */
export function fitting(memories: readonly MemoryRow[]): {
  readonly chosen: readonly MemoryRow[]
  readonly tokens: number
} {
  const seen = new Set<string>()
  let tokens = 0
  const chosen = memories.filter(({ normHash, text }) => {
    const size = Math.ceil(Buffer.byteLength(text) / bytesPerToken) + 4
    if (seen.has(normHash) || tokens + size > budgetTokens) return false
    seen.add(normHash)
    tokens += size
    return true
  })
  return { chosen, tokens }
}
