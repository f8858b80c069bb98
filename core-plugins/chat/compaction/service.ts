import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { AppError, createSortableId, type Logger } from '#kernel'
import type { AiGateway } from '../../ai/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { TimelineEntry } from '../contract.ts'
import { ConversationBusyError, ConversationNotFoundError, NothingToCompactError } from '../errors.ts'
import { showMoney } from '../runs/money.ts'
import { appendToTimeline } from '../timeline/append.ts'
import { ConversationRow } from '../tables.ts'
import { summaryShare, tailShare } from './budget.ts'
import { buildSummary, tokensOfTurns } from './build.ts'
import { hashOf, readMessages, readPath, type PathEntry } from './path.ts'
import { endWork, fitting, keepSnapshot, listSnapshots, takeWork } from './snapshots.ts'
import { CompactionStateRow, type SnapshotRow } from './tables.ts'
import { keepWithin, turnsOf } from './turns.ts'
import type { CompactMethod } from './types.ts'

interface CompactionParts {
  readonly db: Knex
  readonly log: Logger
  readonly gateway: AiGateway
  readonly config: ConfigReader
}

type Conversation = Pick<ConversationRow, 'id' | 'tenantId' | 'userId' | 'agentId'>

/** How a conversation is to be shortened. */
interface CompactWish {
  readonly conversation: Conversation
  /** The end of the branch. */
  readonly leafId: string
  /** Of the agent, by name. */
  readonly model: string
  /** Tokens that a prompt may have. */
  readonly budget: number
  readonly method: CompactMethod
  /** Turns that stay as they are; as many as fit, two at the least, unless said. */
  readonly keepLastTurns?: number | undefined
  readonly instructions?: string | undefined
  /** Also where there is a snapshot of the same messages. */
  readonly force?: boolean | undefined
  readonly builtBy: 'auto' | 'user'
  readonly traceId: string
  readonly signal: AbortSignal
}

/** Longer than a snapshot takes; a host that dies keeps others from it for so long. */
const workMs = 120_000
const leastTurns = 2
/** After so many summaries in a row that failed none is asked for, for an hour. */
const mostFailures = 3
const pauseMs = 3_600_000

/** Shortens conversations: one at a time of each, on all hosts. */
export class Compaction {
  readonly #parts: CompactionParts

  constructor(parts: CompactionParts) {
    this.#parts = parts
  }

  /**
   * The snapshot of all but the last turns: the one there is where it is of the same messages. Throws 409/4094 `conversation_busy` while
   * another is being made, and 409/4094 `nothing_to_compact`.
   */
  async compact(wish: CompactWish): Promise<SnapshotRow> {
    const { db } = this.#parts
    const { conversation } = wish
    const builder = randomUUID()
    if (!(await takeWork(conversation, builder, workMs, db))) throw new ConversationBusyError()
    try {
      return await this.#make(wish, builder)
    } catch (error) {
      const isNews = !(error instanceof AppError) && !wish.signal.aborted
      const outcome = isNews ? ({ isBroken: true, model: 'not_asked' } as const) : undefined
      await db
        .transaction((trx) => endWork(conversation, builder, outcome, trx))
        .catch((cause: unknown) => {
          this.#parts.log.warn({ err: cause, conversation_id: conversation.id }, 'work on a snapshot was not let go of')
        })
      throw error
    }
  }

  async #make(wish: CompactWish, builder: string): Promise<SnapshotRow> {
    const { db, gateway, config } = this.#parts
    const { conversation, traceId } = wish
    const { id: conversationId, tenantId, userId, agentId } = conversation
    const path = await readPath(wish.leafId, { tenantId, conversationId }, db)
    const { covered, tail } = await this.#split(path, wish)
    const sourceHash = hashOf(covered)
    const snapshots = await listSnapshots(conversation, db)
    const same = snapshots.find((snapshot) => snapshot.sourceHash === sourceHash)
    const isAsWished = wish.method === 'auto' || wish.method === same?.method
    if (same && isAsWished && wish.force !== true) {
      await db.transaction((trx) => endWork(conversation, builder, undefined, trx))
      return same
    }
    const last = covered.at(-1)
    const first = covered[0]
    if (!first || !last) throw new NothingToCompactError()
    // What the user wants said anew is made of the messages themselves.
    const before = wish.force === true ? undefined : fitting(snapshots, covered)
    const messages = await readMessages(covered.slice(before?.covered ?? 0), tenantId, db)
    const turns = turnsOf(messages)
    const kept = turnsOf(await readMessages(tail, tenantId, db))
    const own = await config.get<string>('ai_compaction_model', tenantId, '')
    const tokensBefore = tokensOfTurns(turns) + (before?.snapshot.tokensBefore ?? 0)
    const built = await buildSummary({
      ...{
        turns,
        previous: before?.snapshot.summary,
        before: tokensOfTurns(turns) + (before?.snapshot.tokensAfter ?? 0),
      },
      mostTokens: Math.max(256, Math.floor(wish.budget * summaryShare)),
      method: (await this.#isPaused(conversation, wish)) ? 'extractive' : wish.method,
      task: {
        ...{ gateway, model: own === '' ? wish.model : own, traceId, signal: wish.signal, wish: wish.instructions },
        spender: { tenantId, userId, agentId, conversationId },
      },
    })
    return db.transaction(async (trx) => {
      const row = await ConversationRow.of(tenantId, trx).findById(conversationId).whereNull('deleted_at').forUpdate()
      if (!row) throw new ConversationNotFoundError()
      const outcome = { isBroken: false, model: built.asked }
      if (!(await endWork(conversation, builder, outcome, trx))) throw new ConversationBusyError()
      const { summary, text, tokens, fidelity, method, model, costNano } = built
      const snapshot = await keepSnapshot(
        conversation,
        {
          ...{ id: createSortableId('cmp'), fromId: first.id, toId: last.id, messages: covered.length, sourceHash },
          ...{ tailFromId: tail[0]?.id ?? null, tailMessages: tail.length, summary, text, fidelity, method, model },
          ...{ tokensBefore, tokensAfter: tokens, tokensTail: tokensOfTurns(kept), costNano: String(costNano) },
          builtBy: wish.builtBy,
        },
        trx,
      )
      await appendToTimeline(conversation, [snapshotEntry(snapshot, userId)], trx)
      return snapshot
    })
  }

  /** What the snapshot is of, and what stays: whole turns. */
  async #split(path: readonly PathEntry[], { keepLastTurns, budget, conversation }: CompactWish) {
    const places = turnsOf(path)
    if (keepLastTurns !== undefined) {
      const at = places.slice(0, Math.max(0, places.length - keepLastTurns)).flat().length
      return { covered: path.slice(0, at), tail: path.slice(at) }
    }
    const messages = await readMessages(path, conversation.tenantId, this.#parts.db)
    const { tail } = keepWithin(turnsOf(messages), leastTurns, budget * tailShare)
    const at = path.length - tail.flat().length
    return { covered: path.slice(0, at), tail: path.slice(at) }
  }

  /** Whether models have failed so often that this one, which nobody waits for, is made without. */
  async #isPaused({ id, tenantId }: Conversation, { builtBy }: CompactWish): Promise<boolean> {
    if (builtBy === 'user') return false
    const state = await CompactionStateRow.of(tenantId, this.#parts.db).findById(id)
    if (!state || state.failures < mostFailures) return false
    return Date.now() - (state.modelFailedAt?.getTime() ?? 0) < pauseMs
  }
}

function snapshotEntry({ id, version, messages, method, builtBy, ...row }: SnapshotRow, userId: number): TimelineEntry {
  return {
    ...{ kind: 'compaction', title: 'Summary made', ref: { type: 'snapshot', id } },
    actor: builtBy === 'user' ? { type: 'user', id: String(userId) } : { type: 'system' },
    ...{ tokens: row.tokensAfter, cost: showMoney(BigInt(row.costNano)) },
    data: { version, messages, method, tokens_before: row.tokensBefore, fidelity: row.fidelity },
  }
}
