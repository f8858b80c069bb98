import type { Knex } from 'knex'
import type { AiSpending } from '../../ai-ledger/contract.ts'
import type { MessageRow } from '../tables.ts'
import { RunEventRow, RunRow } from '../tables.ts'
import { purgeConversations, type FileHolds } from '../files/hold-files.ts'
import { RunInterruptedError } from '../errors.ts'
import type { ChatNews } from '../news.ts'
import { failure } from './ending.ts'
import { usageOf } from './money.ts'
import { endRun } from './run-end.ts'
import type { Runner } from './runner.ts'

/** A host that was silent for so long is believed dead. */
const deadMs = 20_000
/** What a dead host told last may not have been written: what is written now comes after it in any case. */
const seqLeap = 100_000
const mostAtOnce = 50
/** Runs that are pruned with one statement, and such statements in one go. */
const mostPruned = 500
const mostRounds = 100
/** Pieces of text are kept for so long after the end, for who comes back. */
const replayMs = 5 * 60_000
/** Deleted conversations are kept for so long. */
const deletedMs = 30 * 86_400_000

interface KeeperParts {
  readonly db: Knex
  readonly runner: Runner
  readonly news: Pick<ChatNews, 'ended'>
  readonly holds: FileHolds
  readonly spending: Pick<AiSpending, 'recordedIn'>
  readonly currency: () => Promise<string>
}

/** Keeps the runs of this host alive in the database, ends those of hosts that died, and forgets what is kept no longer. */
export class RunKeeper {
  readonly #db: Knex
  readonly #runner: Runner
  readonly #news: Pick<ChatNews, 'ended'>
  readonly #holds: FileHolds
  readonly #spending: KeeperParts['spending']
  readonly #currency: KeeperParts['currency']

  constructor({ db, runner, news, holds, spending, currency }: KeeperParts) {
    this.#db = db
    this.#runner = runner
    this.#news = news
    this.#holds = holds
    this.#spending = spending
    this.#currency = currency
  }

  /** Says that this host lives, and hears what it is to stop; to be called each second. */
  async beat(): Promise<void> {
    this.#runner.endForsaken()
    const ids = [...this.#runner.ids]
    if (ids.length === 0) return
    // Who ends or deletes one of them is not waited for: it may wait for another one.
    const free = RunRow.acrossTenants(this.#db)
      .whereIn('id', ids)
      .where({ status: 'running' })
      .select('id')
      .forNoKeyUpdate()
      .skipLocked()
    const rows = await RunRow.acrossTenants(this.#db)
      .whereIn('id', free)
      .patch({ beatAt: this.#db.fn.now() as never })
      .returning(['id', 'cancel_at'])
    for (const { id, cancelAt } of rows) if (cancelAt) this.#runner.stop(id, 'cancelled')
    const found = new Set(rows.map(({ id }) => id))
    const lost = ids.filter((id) => !found.has(id))
    if (lost.length === 0) return
    // Those that began while this asked are running; those that ended, or whose user was deleted, are not.
    const running = await RunRow.acrossTenants(this.#db).whereIn('id', lost).where({ status: 'running' }).select('id')
    const alive = new Set(running.map(({ id }) => id))
    for (const id of lost) if (!alive.has(id)) this.#runner.stop(id, 'lost')
  }

  /** Ends the runs of hosts that died, with what they had said. */
  async sweep(): Promise<void> {
    const stale = await RunRow.acrossTenants(this.#db)
      .where({ status: 'running' })
      .whereNotIn('id', [...this.#runner.ids])
      .where('beat_at', '<', this.#db.raw(`now() - ? * interval '1 millisecond'`, [deadMs]))
      .limit(mostAtOnce)
    for (const run of stale) await this.#end(run)
  }

  /** Forgets the pieces of runs that are over for a while, and conversations deleted long ago. */
  async prune(): Promise<void> {
    const db = this.#db
    const before = (ms: number) => db.raw(`now() - ? * interval '1 millisecond'`, [ms])
    for (let round = 0; round < mostRounds; round++) {
      const over = await RunRow.acrossTenants(db)
        .where({ pruned: false })
        .where('ended_at', '<', before(replayMs))
        .limit(mostPruned)
        .select('id')
      const ids = over.map(({ id }) => id)
      if (ids.length > 0) {
        await RunEventRow.acrossTenants(db).whereIn('run_id', ids).delete()
        await RunRow.acrossTenants(db).whereIn('id', ids).patch({ pruned: true })
      }
      if (ids.length < mostPruned) break
    }
    await purgeConversations(before(deletedMs), this.#holds, db)
  }

  async #end(run: RunRow): Promise<void> {
    const events = await RunEventRow.of(run.tenantId, this.#db).where({ run_id: run.id }).orderBy('seq')
    const content = events.map(({ kind, data }) => (kind === 'message.delta' ? String(data['text']) : '')).join('')
    const said: MessageRow['said'] =
      content === '' ? [] : [{ role: 'assistant', parts: [{ type: 'text', text: content }] }]
    const usage = await this.#recorded(run)
    const last = failure(new RunInterruptedError(), run.traceId, { partial: content !== '', usage })
    const told = usage ? [{ kind: 'usage' as const, data: { ...usage } }, last] : [last]
    const first = (events.at(-1)?.seq ?? 0) + seqLeap
    const message = { content, said, toolCalls: [], citations: [], usage, finishReason: 'error' as const }
    const numbered = told.map(({ kind, data }, at) => ({ seq: first + at, kind, data: { seq: first + at, ...data } }))
    const end = { status: 'failed' as const, message, events: numbered }
    const parts = { db: this.#db, holds: this.#holds }
    if (await endRun(run, end, parts)) await this.#news.ended(run)
  }

  /** What the ledger has of a run by now: calls that had ended, and the last one where the ledger was first to see that its host died. */
  async #recorded({ tenantId, conversationId: id, startedAt: since }: RunRow) {
    return usageOf(await this.#spending.recordedIn({ tenantId, id, since }), await this.#currency())
  }
}
