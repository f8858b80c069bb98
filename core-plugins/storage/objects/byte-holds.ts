import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { Hold } from '../models.ts'

const lifeMs = 10 * 60_000
const renewMs = 60_000

/** Keeps bytes that no row knows any more from being deleted, on every host, for as long as somebody holds them. */
export class ByteHolds {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** Holds all bytes that rows know now or later, until the result is disposed. */
  async take(): Promise<AsyncDisposable> {
    const id = randomUUID()
    await Hold.with(this.#db).insert({ id, until: endOfLife() })
    const renew = async (): Promise<void> => void (await Hold.with(this.#db).findById(id).patch({ until: endOfLife() }))
    // One renewal that fails is made up for by the next.
    const timer = setInterval(() => void renew().catch(() => undefined), renewMs).unref()
    return {
      [Symbol.asyncDispose]: async () => {
        clearInterval(timer)
        await Hold.with(this.#db).deleteById(id)
        await Hold.with(this.#db).delete().where('until', '<', new Date())
      },
    }
  }

  /**
   * Whether somebody holds bytes. Asked after it was seen that no row knows them: whoever takes a hold later looks at the rows later,
   * and does not find them there.
   */
  async any(): Promise<boolean> {
    return (await Hold.with(this.#db).where('until', '>', new Date()).first()) !== undefined
  }
}

function endOfLife(): Date {
  return new Date(Date.now() + lifeMs)
}
