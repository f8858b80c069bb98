import type { Knex } from 'knex'
import type { Logger } from '#kernel'
import { everybody } from './everybody.ts'
import type { HoldStore } from './hold-store.ts'
import type { OpenHold } from './open-hold.ts'

/** A request that no quota is for is written down once it has run for so long: most have ended by then. */
const unwrittenMs = 1_000
/** So many that cannot be written in one turn, and the rest waits for the next. */
const mostFailures = 20

/** What the journal works with. */
interface JournalParts {
  readonly db: Knex
  readonly hostId: string
  readonly log: Logger
  readonly store: Pick<HoldStore, 'reserve'>
}

/** What runs on this host, written down for the others: that the host lives, and how far each request is. */
export class Journal implements AsyncDisposable {
  readonly #parts: JournalParts
  readonly #open = new Set<OpenHold>()
  /** Beats without a failure or a pause between. */
  #steady: { since: number; last: number } | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Milliseconds for which this host has been telling without a break that it lives. */
  get steadyMs(): number {
    return this.#steady ? this.#steady.last - this.#steady.since : 0
  }

  add(hold: OpenHold): void {
    this.#open.add(hold)
  }

  /** Once what is being written of it is there, so that nothing is left behind it. */
  async remove(hold: OpenHold): Promise<void> {
    this.#open.delete(hold)
    await hold.journal?.catch(() => undefined)
  }

  /** Writes down what runs for a while and is not known to the database; one that cannot be written holds up no other. */
  async note(): Promise<void> {
    const now = performance.now()
    const unwritten = [...this.#open].filter(({ journal, begun }) => !journal && now - begun > unwrittenMs)
    const failures: unknown[] = []
    for (const hold of unwritten) {
      // It may have ended while the one before was written.
      if (!this.#open.has(hold)) continue
      hold.journal = this.#parts.store.reserve(hold.wish, hold.at, []).then(() => undefined)
      await hold.journal.catch((error: unknown) => {
        hold.journal = undefined
        failures.push(error)
        // The others come first the next time.
        if (this.#open.delete(hold)) this.#open.add(hold)
      })
      // One after another would wait as long as each: the database is away.
      if (failures.length >= mostFailures) break
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Tells that this host lives, and how far its requests are. */
  async beat(): Promise<void> {
    const { db, hostId } = this.#parts
    try {
      await db.raw(
        `insert into ai_hold_hosts (host_id) values (?) on conflict (host_id) do update set seen_at = clock_timestamp()`,
        [hostId],
      )
      await this.#keepProgress()
    } catch (error) {
      this.#steady = undefined
      throw error
    }
    const now = performance.now()
    const goesOn = this.#steady && now - this.#steady.last < 15_000
    this.#steady = { since: goesOn && this.#steady ? this.#steady.since : now, last: now }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { db, hostId, log } = this.#parts
    // What still runs is settled by the others, at once.
    await db('ai_hold_hosts')
      .where({ host_id: hostId })
      .delete()
      .catch((error: unknown) => log.warn({ err: error }, 'the other hosts are not told that this one ends'))
  }

  async #keepProgress(): Promise<void> {
    const kept = [...this.#open].filter(({ journal, isTold }) => journal && isTold)
    if (kept.length === 0) return
    // The types of knex know of no null in a list.
    const list = <T>(value: (hold: OpenHold) => T | null): T[] => kept.map(value) as T[]
    for (const hold of kept) hold.isTold = false
    await this.#parts.db
      .raw(
        // Locked by their ids, as whoever settles does.
        `with known as materialized (
           select request_id from ai_holds where request_id = any (?::uuid[]) order by request_id for update)
         update ai_holds h
            set progress = n.progress, model_id = coalesce(n.model_id, h.model_id),
                provider_id = coalesce(n.provider_id, h.provider_id), model = coalesce(n.model, h.model),
                model_version = coalesce(n.model_version, h.model_version),
                expires_at = greatest(h.expires_at, now() + n.ttl_ms * interval '1 millisecond')
           from unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bigint[])
             as n (request_id, progress, model_id, provider_id, model, model_version, ttl_ms)
           join known on known.request_id = n.request_id
          where h.request_id = n.request_id`,
        [
          list(({ requestId }) => requestId),
          ...[list(({ requestId }) => requestId), list(({ output }) => output)],
          ...[list(({ by }) => by?.modelId ?? null), list(({ by }) => by?.providerId ?? null)],
          ...[list(({ by }) => by?.model ?? null), list(({ by }) => by?.modelVersion ?? null)],
          list(({ wish }) => wish.ttlMs),
        ],
      )
      .queryContext(everybody)
  }
}
