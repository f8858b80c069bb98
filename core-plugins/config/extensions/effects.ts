import type { ConfigEffect } from '../contract-extensions.ts'
import { registerIn, type Registered } from './register-in.ts'

/** What must happen after values changed. */
export class Effects {
  readonly #effects = new Set<Registered<ConfigEffect>>()

  register(effect: ConfigEffect): Disposable {
    return registerIn(this.#effects, effect)
  }

  /** The names of those that follow a change of these keys. */
  namesFor(keys: readonly string[]): readonly string[] {
    const names = [...this.#effects].flatMap(({ entry }) =>
      entry.keys.some((key) => keys.includes(key)) ? [entry.name] : [],
    )
    return [...new Set(names)]
  }

  find(name: string): ConfigEffect | undefined {
    return [...this.#effects].find(({ entry }) => entry.name === name)?.entry
  }
}
