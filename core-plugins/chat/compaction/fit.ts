import type { Knex } from 'knex'
import { AppError, type Logger } from '#kernel'
import type { NeutralMessage } from '../../ai/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { ChatTurn } from '../contract.ts'
import type { FitHistory, FittedHistory, HistoryWish } from '../loop/fit-history.ts'
import { saidBefore } from '../loop/history.ts'
import { trigger } from './budget.ts'
import { cutToFit } from './cut.ts'
import { evictTurns } from './evict.ts'
import { readMessages, readPath, type PathEntry } from './path.ts'
import type { Compaction } from './service.ts'
import { fitting, listSnapshots } from './snapshots.ts'
import type { SnapshotRow } from './tables.ts'
import { tokensIn } from './tokens.ts'
import { keepLast, keepWithin, turnsOf } from './turns.ts'
import type { Turn } from './types.ts'
import { summaryMessage } from './write-summary.ts'

interface FitParts {
  readonly db: Knex
  readonly log: Logger
  readonly config: ConfigReader
  readonly compaction: Compaction
}

type Fitting = ReturnType<typeof fitting>

/** Below so many messages there is no snapshot. */
const fewMessages = 4
const tailTurns = 2
/** For separators, which the sum of parts has more of than the whole. */
const slack = 32

/** Has conversations fit into what a model can read. */
export class HistoryFitter {
  readonly #parts: FitParts
  readonly #full = new WeakMap<ChatTurn, number>()

  constructor(parts: FitParts) {
    this.#parts = parts
  }

  /** The room of a turn whose conversation is to be shortened before the next question. */
  roomOfFull(turn: ChatTurn): number | undefined {
    return this.#full.get(turn)
  }

  /**
   * The branch that a run answers: behind a snapshot where there is one; without the long results of tools once it is three quarters full;
   * shortened now where it does not fit; and cut where that is not enough.
   */
  readonly fit: FitHistory = async (wish) => {
    const { db } = this.#parts
    const { turn, path: known, room } = wish
    const conversation = conversationOf(turn)
    const leafId = known.at(-1)?.id
    const snapshots = conversation && known.length > fewMessages ? await listSnapshots(conversation, db) : []
    const isWhole = known[0]?.parentId === null
    if (
      !conversation ||
      leafId === undefined ||
      (snapshots.length === 0 && isWhole && sizeOf(known, wish) <= room * trigger)
    ) {
      return write(turnsOf(known), undefined, wish)
    }
    const path = await readPath(leafId, { tenantId: conversation.tenantId, conversationId: conversation.id }, db)
    const read = async (at: Fitting) =>
      turnsOf(await readMessages(path.slice(at?.covered ?? 0), conversation.tenantId, db))
    let at = fitting(snapshots, path)
    let turns = await read(at)
    if (measure(turns, at, wish) <= room * trigger) return write(turns, at, wish)
    turns = evicted(turns)
    if (measure(turns, at, wish) <= room) {
      this.#full.set(turn, room)
      return write(turns, at, wish)
    }
    const made = await this.#shorten(path, wish)
    if (made) {
      at = made
      turns = evicted(await read(at))
    }
    return write(keepWithin(turns, 1, room - measure([], at, wish)).tail, at, wish)
  }

  /** Where it comes to nothing, because another host is at it or something fails, what fits is what is told. */
  async #shorten(path: readonly PathEntry[], { turn, room }: HistoryWish): Promise<Fitting> {
    const { compaction, config, log } = this.#parts
    const { agent, traceId, signal } = turn
    const conversation = conversationOf(turn)
    const leafId = path.at(-1)?.id
    if (!conversation || leafId === undefined) return undefined
    if (!(await config.get<boolean>('ai_compaction', conversation.tenantId, true))) return undefined
    try {
      const how = { method: 'auto', builtBy: 'auto', model: agent.definition.model, budget: room } as const
      const snapshot = await compaction.compact({ conversation, leafId, traceId, signal, ...how })
      return { snapshot, covered: path.findIndex(({ id }) => id === snapshot.toId) + 1 }
    } catch (error) {
      signal.throwIfAborted()
      const level = error instanceof AppError ? 'info' : 'warn'
      log[level]({ err: error, run_id: turn.runId }, 'a conversation was not shortened')
      return undefined
    }
  }
}

/** As it goes to the model. */
function write(turns: readonly Turn[], at: Fitting, { decided, room }: HistoryWish): FittedHistory {
  const messages = cutToFit(messagesOf(turns, at?.snapshot, decided), room - slack - turns.length)
  return { messages, compaction: at ? { snapshot_id: at.snapshot.id, covered: at.covered } : null }
}

function measure(turns: readonly Turn[], at: Fitting, { decided }: HistoryWish): number {
  return tokensIn(messagesOf(turns, at?.snapshot, decided)) + slack + turns.length
}

function sizeOf(messages: readonly Turn[number][], { decided }: HistoryWish): number {
  return tokensIn(saidBefore(messages, decided))
}

function messagesOf(turns: readonly Turn[], snapshot: SnapshotRow | undefined, decided: ReadonlySet<string>) {
  const said: readonly NeutralMessage[] = saidBefore(turns.flat(), decided)
  return snapshot ? [summaryMessage(snapshot.text), ...said] : said
}

function evicted(turns: readonly Turn[]): readonly Turn[] {
  const { covered, tail } = keepLast(turns, tailTurns)
  return [...evictTurns(covered), ...tail]
}

function conversationOf({ stored, user, agent }: ChatTurn) {
  return stored && { id: stored.conversationId, tenantId: user.tenantId, userId: user.userId, agentId: agent.id }
}
