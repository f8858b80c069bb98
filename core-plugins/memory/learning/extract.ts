import type { Knex } from 'knex'
import type { AiGateway } from '../../ai/contract.ts'
import type { ChatConversations, ChatMessage } from '../../chat/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import { isGrounded, isHeard } from '../grounds.ts'
import { epochOf, lockUser, type Owner } from '../notes/owner.ts'
import { memoryEntry } from '../notes/memory-entry.ts'
import { remember } from '../notes/remember.ts'
import { tellable } from '../recall/choose.ts'
import { rank } from '../recall/rank.ts'
import type { AgentMemory } from '../switches.ts'
import { MemoryRow } from '../tables.ts'
import { askForOperations } from './ask-model.ts'
import type { NotedOperation } from './operations.ts'
import { keepState, stateOf, type Learnt } from './state.ts'

interface ExtractionParts {
  readonly db: Knex
  readonly gateway: AiGateway
  readonly config: ConfigReader
  readonly conversations: ChatConversations
}

interface ExtractionWish {
  readonly owner: Owner
  readonly conversationId: string
  readonly agentId: string
  readonly scope: AgentMemory['scope']
  /** Of the agent, by name. */
  readonly model: string
  readonly traceId: string
  readonly signal: AbortSignal
}

const mostMessages = 40
const longestMessage = 2_000
const mostKnown = 10
/** What a model made nothing of so often is left out. */
const mostFailures = 2

/**
 * Has a model look for what is worth remembering in what was said since the last time, and keeps it, unless the user has deleted something or
 * another has learnt from it meanwhile; answers false then, and nothing is kept. Throws what the gateway throws.
 */
export async function extract(parts: ExtractionParts, wish: ExtractionWish): Promise<boolean> {
  const { db, gateway, config, conversations } = parts
  const { owner, conversationId, agentId, traceId, signal } = wish
  const learnt: Learnt = { ...owner, conversationId }
  const epoch = await epochOf(owner, db)
  const state = await stateOf(learnt, db)
  const messages = await conversations.messages(owner, conversationId, {
    after: state?.watermark ?? null,
    most: mostMessages,
  })
  const last = messages.at(-1)
  if (!last || messages.every(({ role }) => role !== 'user')) return true
  const shown = messages.map(({ role, content }) => ({ role, text: content.slice(0, longestMessage).toWellFormed() }))
  const said = shown.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n')
  const all = await tellable(owner, { agentId, conversationId, scope: wish.scope }, db)
  const known = rank(all, said).slice(0, mostKnown)
  const own = await config.get<string>('ai_memory_model', owner.tenantId, '')
  const operations = await askForOperations(
    { known: known.map(({ text }) => text), messages: shown },
    {
      ...{ gateway, model: own === '' ? wish.model : own, traceId, signal },
      spender: { ...owner, agentId, conversationId },
    },
  )
  return db.transaction(async (trx) => {
    const isSame = (await lockUser(owner, trx, { isChange: false })) === epoch
    const now = await stateOf(learnt, trx)
    if (!isSame || (now?.watermark ?? null) !== (state?.watermark ?? null)) return false
    if (!operations) {
      const failures = (now?.failures ?? 0) + 1
      const isGivenUp = failures >= mostFailures
      await keepState(learnt, isGivenUp ? { failures: 0, watermark: last.id } : { failures }, trx)
      return true
    }
    let [added, superseded] = [0, 0]
    const forgotten = await forgottenOf(owner, messages, trx)
    for (const operation of operations) {
      const kept = await keep(operation, { wish, messages, known, said, forgotten }, trx)
      const { became } = kept
      await conversations.note(
        { id: conversationId, tenantId: owner.tenantId },
        memoryEntry(kept, { type: 'system' }),
        trx,
      )
      if (became === 'added') added += 1
      if (became === 'superseded') superseded += 1
    }
    await keepState(learnt, { watermark: last.id, failures: 0, extractedAt: new Date(), added, superseded }, trx)
    return true
  })
}

interface Heard {
  readonly wish: ExtractionWish
  readonly messages: readonly ChatMessage[]
  readonly known: readonly MemoryRow[]
  /** By the user. */
  readonly said: string
  /** Messages of which the user had something forgotten, by their ids. */
  readonly forgotten: ReadonlySet<string>
}

/** Those of some messages of which the user had something forgotten: in other words it would come back. */
async function forgottenOf(
  { tenantId, userId }: Owner,
  messages: readonly ChatMessage[],
  trx: Knex.Transaction,
): Promise<ReadonlySet<string>> {
  const rows = await MemoryRow.of(tenantId, trx)
    .where({ user_id: userId })
    .whereNotNull('deleted_at')
    .whereRaw('source_msgs && ?::text[]', [messages.map(({ id }) => id)])
    .select('source_msgs')
  return new Set(rows.flatMap(({ sourceMsgs }) => sourceMsgs))
}

/**
 * What was named of messages and memories that are not there, or of messages of which something was forgotten, or has words, figures and
 * addresses that the user never said, is not kept.
 */
async function keep(
  operation: NotedOperation,
  { wish, messages, known, said, forgotten }: Heard,
  trx: Knex.Transaction,
) {
  const { op, n, text, kind, scope, confidence, source } = operation
  const sources = source.flatMap((at) => {
    const message = messages[at - 1]
    return message?.role === 'user' && !forgotten.has(message.id) ? [message.id] : []
  })
  const isSaid = isGrounded(text, said) && isHeard(text, said)
  const supersedes = op === 'SUPERSEDE' ? known[(n ?? 0) - 1] : undefined
  if (sources.length === 0 || !isSaid || (op === 'SUPERSEDE' && !supersedes)) {
    return { became: 'refused', because: 'empty' } as const
  }
  const isWide = scope === 'user'
  return remember(
    wish.owner,
    {
      ...{ text, kind, confidence, origin: 'extraction', supersedes },
      agentId: wish.scope === 'agent' ? wish.agentId : null,
      conversationId: isWide ? null : wish.conversationId,
      source: { conversationId: wish.conversationId, messages: sources },
    },
    trx,
  )
}
