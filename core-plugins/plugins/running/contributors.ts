import type { Logger, Scope } from '#kernel'
import type { Contributor, LoadedPlugin } from '../contract-running.ts'

interface Guest {
  readonly scope: Pick<Scope, 'register'>
  readonly plugin: LoadedPlugin
}

/** Who adds to what plugins are beside their routes; whoever comes later adds to those that run already. */
export class Contributors {
  readonly #log: Logger
  readonly #guests = new Set<Guest>()
  /** What each has added and still stands. */
  readonly #added = new Map<Contributor, Set<Disposable>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds to each plugin that runs or will run here; all of it goes with the result. */
  register(contributor: Contributor): Disposable {
    this.#added.set(contributor, new Set())
    for (const guest of this.#guests) this.#addLate(contributor, guest)
    return {
      [Symbol.dispose]: () => {
        const added = this.#added.get(contributor) ?? []
        this.#added.delete(contributor)
        for (const one of added) one[Symbol.dispose]()
      },
    }
  }

  /** A plugin starts here: what is added to it goes with its scope. */
  start(scope: Pick<Scope, 'register' | 'defer'>, plugin: LoadedPlugin): void {
    for (const contributor of this.#added.keys()) this.#add(contributor, { scope, plugin })
    const guest = { scope, plugin }
    this.#guests.add(guest)
    scope.defer(() => void this.#guests.delete(guest))
  }

  /** A plugin that runs is not stopped by what cannot be added to it now. */
  #addLate(contributor: Contributor, guest: Guest): void {
    try {
      this.#add(contributor, guest)
    } catch (error) {
      this.#log.error({ err: error, plugin: guest.plugin.release.name }, 'what a plugin provides could not be added')
    }
  }

  #add(contributor: Contributor, { scope, plugin }: Guest): void {
    const register = (make: () => Disposable) => scope.register(() => this.#keep(contributor, make))
    contributor({ register }, plugin)
  }

  /** Disposed by whichever ends first, the plugin or the contributor. */
  #keep(contributor: Contributor, make: () => Disposable): Disposable {
    const added = this.#added.get(contributor)
    // Gone before the plugin took its place.
    if (!added) return { [Symbol.dispose]: () => undefined }
    const made = make()
    const kept = {
      [Symbol.dispose]: () => {
        if (added.delete(kept)) made[Symbol.dispose]()
      },
    }
    added.add(kept)
    return kept
  }
}
