import { missingService, serviceTaken } from './programming-errors.ts'

/** A name under which one plugin provides something to others, with its type. */
export interface ServiceRef<T> {
  readonly id: string
  /** Carries the type; never set. */
  readonly type?: T
}

/** Declares a service; the id is `<plugin>.<role>`. */
export function defineService<T>(id: string): ServiceRef<T> {
  return { id }
}

/** What is provided at the moment, by whom. */
export class ServiceTable {
  readonly #provided = new Map<string, { plugin: string; implementation: unknown }>()

  /** Provides a service until the result is disposed; two providers of one service are a mistake. */
  provide<T>(plugin: string, ref: ServiceRef<T>, implementation: T): Disposable {
    const taken = this.#provided.get(ref.id)
    if (taken) throw serviceTaken(ref.id, taken.plugin, plugin)
    const entry = { plugin, implementation }
    this.#provided.set(ref.id, entry)
    return {
      [Symbol.dispose]: () => {
        if (this.#provided.get(ref.id) === entry) this.#provided.delete(ref.id)
      },
    }
  }

  /** The implementation, or undefined while nobody provides it. */
  find<T>(ref: ServiceRef<T>): T | undefined {
    return this.#provided.get(ref.id)?.implementation as T | undefined
  }

  /** The implementation; throws while nobody provides it. */
  get<T>(ref: ServiceRef<T>): T {
    const entry = this.#provided.get(ref.id)
    if (!entry) throw missingService(ref.id)
    return entry.implementation as T
  }

  /** Ids of everything provided, for the leak check of tests. */
  get ids(): readonly string[] {
    return [...this.#provided.keys()].sort()
  }
}
