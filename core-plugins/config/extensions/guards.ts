import type { Knex } from 'knex'
import type { ConfigGuard, GuardedChange } from '../contract-extensions.ts'
import { registerIn, type Registered } from './register-in.ts'

/** What some changes need beside the right to write configuration. */
export class Guards {
  readonly #guards = new Set<Registered<ConfigGuard>>()

  register(guard: ConfigGuard): Disposable {
    return registerIn(this.#guards, guard)
  }

  /** Whether a change of one of these keys is guarded. */
  isGuarded(keys: readonly string[]): boolean {
    return this.#of(keys).length > 0
  }

  /** Asks everybody who guards one of the keys; what one of them throws refuses the write. */
  async pass(change: GuardedChange, trx: Knex.Transaction): Promise<void> {
    for (const guard of this.#of(change.keys)) await guard.pass(change, trx)
  }

  #of(keys: readonly string[]): readonly ConfigGuard[] {
    return [...this.#guards].flatMap(({ entry }) => (entry.keys.some((key) => keys.includes(key)) ? [entry] : []))
  }
}
