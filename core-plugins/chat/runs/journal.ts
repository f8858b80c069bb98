import type { Knex } from 'knex'
import { OutageLog, type Bus, type Logger } from '#kernel'
import type { RunEvent } from '../run-events.ts'

/** So many milliseconds of events of all runs go to the database at once. */
const batchMs = 50
const retryMs = 500
/** Rows of one statement. */
const mostRows = 2_000

/** Where other hosts hear that runs have new events. */
export const newsChannel = 'chat.events'

/** An event of a run that is to be kept. */
interface JournalEntry {
  readonly runId: string
  readonly tenantId: number
  readonly event: RunEvent
}

/** Keeps the events of all runs of this host, in batches, and tells other hosts; what cannot be written is tried again. */
export class Journal {
  readonly #db: Knex
  readonly #bus: Bus
  readonly #outage: OutageLog
  #entries: JournalEntry[] = []
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isOut = false

  constructor(db: Knex, bus: Bus, log: Logger) {
    this.#db = db
    this.#bus = bus
    this.#outage = new OutageLog(log, 'events of runs cannot be kept')
  }

  add(entry: JournalEntry): void {
    this.#entries.push(entry)
    this.#timer ??= setTimeout(() => this.#turn(), batchMs)
  }

  /** What of a run is not written yet, once nothing of it is being written; it is the caller's to write from now on. */
  async take(runId: string): Promise<readonly RunEvent[]> {
    while (this.#writing) await this.#writing
    const mine = this.#entries.filter((entry) => entry.runId === runId)
    this.#entries = this.#entries.filter((entry) => entry.runId !== runId)
    return mine.map(({ event }) => event)
  }

  /** Writes what waits, and no more afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
    clearTimeout(this.#timer)
  }

  #turn(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      this.#timer = undefined
      if (this.#entries.length > 0) this.#timer = setTimeout(() => this.#turn(), this.#isOut ? retryMs : batchMs)
    })
  }

  async #write(): Promise<void> {
    const batch = this.#entries.splice(0, mostRows)
    if (batch.length === 0) return
    this.#isOut = true
    await this.#outage.watch(async () => {
      await keepEvents(batch, this.#db)
      this.#isOut = false
    })
    if (this.#isOut) this.#entries.unshift(...batch)
    else await this.#bus.publish(newsChannel, { runs: [...new Set(batch.map(({ runId }) => runId))] })
  }
}

/** Writes events of runs that are still there. */
export async function keepEvents(entries: readonly JournalEntry[], db: Knex): Promise<void> {
  await db
    .raw(
      `insert into ai_run_events (run_id, seq, tenant_id, kind, data)
       select new.run_id, new.seq, new.tenant_id, new.kind, new.data
         from unnest(?::text[], ?::int[], ?::int[], ?::text[], ?::text[]) as new (run_id, seq, tenant_id, kind, data)
         -- A run that is being deleted is not waited for: whoever deletes may wait for the others.
         join (select id, tenant_id from ai_runs where id = any (?::text[]) for key share skip locked) as run
           on run.id = new.run_id and run.tenant_id = new.tenant_id
       -- Written already where only the answer to an earlier try got lost.
       on conflict (run_id, seq) do nothing`,
      [
        entries.map(({ runId }) => runId),
        entries.map(({ event }) => event.seq),
        entries.map(({ tenantId }) => tenantId),
        entries.map(({ event }) => event.kind),
        entries.map(({ event }) => JSON.stringify(event.data)),
        [...new Set(entries.map(({ runId }) => runId))],
      ],
    )
    .queryContext({ tenant: 'all' })
}
