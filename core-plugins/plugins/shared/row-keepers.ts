import type { PluginRowKeepers, PluginRows } from '../contract-running.ts'

/** The rows that other core plugins keep of plugins. */
export class RowKeepers implements PluginRowKeepers {
  readonly #all = new Set<PluginRows>()

  /** What was registered, the first one first. */
  get all(): readonly PluginRows[] {
    return [...this.#all]
  }

  /** Those that a step of a removal deletes; none while nobody keeps any. */
  of(step: PluginRows['step']): readonly PluginRows[] {
    return this.all.filter((rows) => rows.step === step)
  }

  register(rows: PluginRows): Disposable {
    this.#all.add(rows)
    return { [Symbol.dispose]: () => void this.#all.delete(rows) }
  }
}
