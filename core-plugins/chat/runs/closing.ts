import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { InternalError, type Bus, type Logger } from '#kernel'
import type { FileHolds } from '../files/hold-files.ts'
import type { Progress } from '../loop/loop.ts'
import type { ChatNews } from '../news.ts'
import { isTerminal, type RunEvent } from '../run-events.ts'
import { RunEventRow, type RunRow } from '../tables.ts'
import { endingOf, failure, type Outcome } from './ending.ts'

import { newsChannel, type Journal } from './journal.ts'
import type { LiveRun } from './live-run.ts'
import { usageOf } from './money.ts'
import { endRun, type RunEnd } from './run-end.ts'

interface ClosingParts {
  readonly db: Knex
  readonly bus: Bus
  readonly log: Logger
  readonly journal: Journal
  readonly holds: FileHolds
  readonly currency: () => Promise<string>
  readonly news: Pick<ChatNews, 'ended'>
}

/** Waits between tries to write the end down, in milliseconds; after them another host ends the run. */
const triesMs = [100, 500, 1_000, 2_000, 4_000, 8_000]

/** Ends runs: written down first, told then, so that what was told is what anybody reads later. */
export class Closing {
  readonly #parts: ClosingParts

  constructor(parts: ClosingParts) {
    this.#parts = parts
  }

  /** Ends a run with one terminal event, its last. */
  async close(run: RunRow, live: LiveRun, outcome: Outcome, progress: Progress): Promise<void> {
    live.flush()
    const { journal, currency, log } = this.#parts
    try {
      const usage = usageOf(progress.spent, await currency())
      const { status, message, events } = endingOf(outcome, run, progress, usage)
      const first = live.nextSeq
      const numbered = events.map((event, at) => live.number(event, first + at))
      const pending = await journal.take(run.id)
      const isEnded = await this.#write(run, { status, message, events: [...pending, ...numbered] })
      if (isEnded) await this.#parts.news.ended(run)
      live.tell(isEnded ? numbered : await this.#endElsewhere(run, first))
    } catch (error) {
      log.error({ err: error, run_id: run.id }, 'the end of a run was not written')
      const lost = failure(new InternalError(), run.traceId, { partial: progress.content !== '', usage: null })
      live.tell([live.number(lost, live.nextSeq)])
    }
    await this.#parts.bus.publish(newsChannel, { runs: [run.id] })
  }

  async #write(run: RunRow, end: RunEnd): Promise<boolean> {
    for (const waitMs of triesMs) {
      try {
        return await endRun(run, end, this.#parts)
      } catch (error) {
        this.#parts.log.warn({ err: error, run_id: run.id }, 'the end of a run is tried again')
        await sleep(waitMs)
      }
    }
    return endRun(run, end, this.#parts)
  }

  /** What another host wrote when it ended the run; or this one, where it did not hear so. */
  async #endElsewhere({ id, tenantId, traceId }: RunRow, from: number): Promise<readonly RunEvent[]> {
    const rows = await RunEventRow.of(tenantId, this.#parts.db)
      .where({ run_id: id })
      .where('seq', '>=', from)
      .orderBy('seq')
    const events = rows.map(({ seq, kind, data }) => ({ seq, kind: kind as RunEvent['kind'], data }))
    if (events.some(isTerminal)) return events
    // Its conversation was deleted under it.
    const { kind, data } = failure(new InternalError(), traceId, { partial: true, usage: null })
    return [...events, { seq: from, kind, data: { seq: from, ...data } }]
  }
}
