import type { LicenceBook, LicenceKeeper, LicenceStanding, LicensedPlugin } from '../contract-licences.ts'
import { NoLicencesError } from '../shared/errors.ts'

const noStanding: LicenceStanding = { state: 'none', features: [], expiresAt: null, graceUntil: null }

/** The licences of a plugin that has none. */
class ClosedBook implements LicenceBook {
  readonly isCommercial: boolean

  constructor(isCommercial: boolean) {
    this.isCommercial = isCommercial
  }

  of(): LicenceStanding {
    return noStanding
  }

  allows(_tenantId: number, use: Parameters<LicenceBook['allows']>[1]): boolean {
    return !this.isCommercial || use === 'view'
  }
}

/** The licences of a plugin that needs none. */
export const freeBook: LicenceBook = new ClosedBook(false)

/** Who keeps the licences of plugins: the last one registered, or nobody; then a plugin that needs one is not licensed. */
export class LicenceSlot {
  readonly #keepers: LicenceKeeper[] = []
  readonly #listeners = new Set<() => void>()

  register(keeper: LicenceKeeper): Disposable {
    this.#keepers.push(keeper)
    this.#changed()
    return {
      [Symbol.dispose]: () => {
        const at = this.#keepers.lastIndexOf(keeper)
        if (at !== -1) this.#keepers.splice(at, 1)
        this.#changed()
      },
    }
  }

  /** Is called when somebody else keeps them, until the result is disposed. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /** The time for licences, in milliseconds since 1970. */
  now(): number {
    return this.#keepers.at(-1)?.now() ?? Date.now()
  }

  /** The licences of plugins, by plugin id. */
  async read(plugins: readonly LicensedPlugin[]): Promise<ReadonlyMap<number, LicenceBook>> {
    const keeper = this.#keepers.at(-1)
    if (keeper) return keeper.read(plugins)
    return new Map(plugins.map(({ id, isCommercial }) => [id, new ClosedBook(isCommercial)]))
  }

  /** Who keeps them; throws 503/5030 while nobody does. */
  get(): LicenceKeeper {
    const keeper = this.#keepers.at(-1)
    if (!keeper) throw new NoLicencesError()
    return keeper
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
