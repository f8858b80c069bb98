import type { Knex } from 'knex'

/** A clock may be set back by so much; that happens to honest people. */
const toleranceMilliseconds = 24 * 60 * 60 * 1000

/**
 * The time for licences. A latest time seen is kept in the database: a clock that is set back by more than a day counts as
 * standing still at it, so that nothing that was over begins again.
 */
export class LicenceClock {
  #mark = 0

  /** Milliseconds since 1970. */
  now(): number {
    const now = Date.now()
    return now < this.#mark - toleranceMilliseconds ? this.#mark : now
  }

  /** Moves the latest time seen on and learns what other hosts saw; a clock that is ahead of the database's moves nothing. */
  async keep(db: Knex): Promise<void> {
    const seen = db.raw('greatest(seen_at, least(clock_timestamp(), ?::timestamptz))', [new Date()])
    const rows = await db<{ seen_at: Date }>('plugin_licence_clock').update({ seen_at: seen }, ['seen_at'])
    this.#mark = rows[0]?.seen_at.getTime() ?? 0
  }
}
