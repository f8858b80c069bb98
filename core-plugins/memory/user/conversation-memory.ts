import type { Knex } from 'knex'
import { AppError, type Principal } from '#kernel'
import type { AgentDirectory } from '../../agents/contract.ts'
import type { ChatConversation, ChatConversations } from '../../chat/contract.ts'
import { keepState, stateOf } from '../learning/state.ts'
import { forget } from '../notes/forget.ts'
import { liveOf, lockUser } from '../notes/owner.ts'
import { budgetTokens, fitting, tellable } from '../recall/choose.ts'
import type { Switches } from '../switches.ts'
import { MemoryStateRow, type MemoryRow } from '../tables.ts'
import { presentMemory } from './present.ts'

interface ConversationMemoryParts {
  readonly db: Knex
  readonly agents: AgentDirectory
  readonly conversations: ChatConversations
  readonly switches: Switches
}

/** What of a conversation's is meant. */
type MemoryScope = 'conversation' | 'user' | 'all'

/** What is remembered where a conversation is. */
export class ConversationMemory {
  readonly #parts: ConversationMemoryParts

  constructor(parts: ConversationMemoryParts) {
    this.#parts = parts
  }

  /** Throws 404/4047. */
  async get(user: Principal, conversationId: string) {
    const { db, switches } = this.#parts
    const conversation = await this.#parts.conversations.find(user, conversationId)
    const definition = await this.#definition(user, conversation)
    const memory = definition && (await switches.of(conversation, definition))
    // Before the memories: what was learnt up to this watermark is among them.
    const state = await stateOf({ ...conversation, conversationId }, db)
    const rows = await this.#rows(conversation, definition?.memory?.scope ?? 'user')
    const isOfConversation = ({ conversationId: of }: MemoryRow): boolean => of !== null
    return {
      ...{ enabled: memory !== undefined, budget_tokens: budgetTokens, used_tokens: fitting(rows).tokens },
      conversation: rows.filter(isOfConversation).map(presentMemory),
      user: rows.filter((row) => !isOfConversation(row)).map(presentMemory),
      watermark: state?.watermark ?? null,
      last_extraction: state?.extractedAt
        ? { at: state.extractedAt.toISOString(), added: state.added, superseded: state.superseded }
        : null,
    }
  }

  /** Forgets it, and what was said up to now is not learnt from any more. Throws 404/4047. */
  async clear(user: Principal, conversationId: string, scope: MemoryScope, ids: readonly string[] | undefined) {
    const { db, conversations } = this.#parts
    const conversation = await conversations.find(user, conversationId)
    const definition = await this.#definition(user, conversation)
    const watermark = await conversations.lastMessageOf(user, conversationId)
    const removed = await db.transaction(async (trx) => {
      await lockUser(conversation, trx, { isChange: true })
      const rows = await this.#rows(conversation, definition?.memory?.scope ?? 'user', trx)
      const meant = rows.filter((row) => {
        const isIn = scope === 'all' || (row.conversationId === null) === (scope === 'user')
        return isIn && (ids === undefined || ids.includes(row.id))
      })
      await keepState({ ...conversation, conversationId }, { watermark, failures: 0 }, trx)
      const count = await forget(
        conversation,
        meant.map(({ id }) => id),
        trx,
      )
      const actor = { type: 'user', id: String(user.userId) } as const
      const entry = { kind: 'memory', actor, title: 'Forgotten', data: { removed: count, scope } } as const
      if (count > 0) await conversations.note(conversation, [entry], trx)
      return count
    })
    return { removed, scope }
  }

  /** With a conversation go its own memories, and the user's that nothing else says; answers how many. */
  async deleted(
    conversation: ChatConversation,
    { keepsMemories }: { readonly keepsMemories: boolean },
  ): Promise<number> {
    const { id, tenantId } = conversation
    return this.#parts.db.transaction(async (trx) => {
      await lockUser(conversation, trx, { isChange: true })
      const rows = await liveOf(conversation, trx).whereRaw('? = any(source_conversations)', [id])
      const gone = rows.filter(({ conversationId, sourceConversations }) => {
        return conversationId === id || (!keepsMemories && conversationId === null && sourceConversations.length === 1)
      })
      await MemoryStateRow.of(tenantId, trx).findById(id).delete()
      return forget(
        conversation,
        gone.map((row) => row.id),
        trx,
      )
    })
  }

  /** What the agent is; undefined where the user may not ask it any more, which keeps nobody from what is remembered. */
  async #definition(user: Principal, { agentId }: ChatConversation) {
    try {
      return (await this.#parts.agents.get(user, agentId)).definition
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return undefined
      throw error
    }
  }

  async #rows({ id, agentId, ...owner }: ChatConversation, scope: 'user' | 'agent', db: Knex = this.#parts.db) {
    return tellable(owner, { agentId, conversationId: id, scope }, db)
  }
}
