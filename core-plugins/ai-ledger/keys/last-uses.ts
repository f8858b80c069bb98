import type { Knex } from 'knex'
import type { AiKey } from '../contract.ts'

/** The last use of a key is written so often at most. */
const everyMs = 60_000

interface Use {
  readonly ip: string
  readonly at: number
}

/** When and from where keys were used last, written rarely. */
export class LastUses {
  readonly #db: Knex
  #waiting = new Map<string, Use>()
  readonly #written = new Map<string, number>()

  constructor(db: Knex) {
    this.#db = db
  }

  note({ id }: AiKey, ip: string): void {
    this.#waiting.set(id, { ip, at: Date.now() })
  }

  /** Writes what was not written for a minute, all in one statement. */
  async flush(): Promise<void> {
    const now = Date.now()
    for (const [id, at] of this.#written) if (now - at > everyMs) this.#written.delete(id)
    const due = [...this.#waiting].filter(([id]) => !this.#written.has(id))
    if (due.length === 0) return
    await this.#db
      .raw(
        `update ai_api_keys k set last_used_at = greatest(k.last_used_at, u.at), last_used_ip = u.ip
           from unnest(?::text[], ?::timestamptz[], ?::text[]) as u (id, at, ip) where k.id = u.id`,
        [due.map(([id]) => id), due.map(([, { at }]) => new Date(at).toISOString()), due.map(([, { ip }]) => ip)],
      )
      .queryContext({ tenant: 'all' })
    for (const [id, { at }] of due) {
      this.#written.set(id, now)
      if (this.#waiting.get(id)?.at === at) this.#waiting.delete(id)
    }
  }
}
