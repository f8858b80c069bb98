import type { ConfigOption, ConfigOptions } from '../contract-extensions.ts'

/** Lists the options of one key for a tenant. */
type OptionsSource = (tenantId: number) => Promise<readonly ConfigOption[]>

/** Options that are known only while the platform runs, by key. */
export class DynamicOptions implements ConfigOptions {
  readonly #sources = new Map<string, OptionsSource>()

  /** The last one who registers a key lists its options. */
  register(key: string, list: OptionsSource): Disposable {
    const source: OptionsSource = (tenantId) => list(tenantId)
    this.#sources.set(key, source)
    return {
      [Symbol.dispose]: () => {
        if (this.#sources.get(key) === source) this.#sources.delete(key)
      },
    }
  }

  /** The options of a key, or undefined where nobody lists them. */
  async list(key: string, tenantId: number): Promise<readonly ConfigOption[] | undefined> {
    return this.#sources.get(key)?.(tenantId)
  }
}
