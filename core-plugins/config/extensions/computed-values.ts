import type { CatalogueItem } from '../catalogue/catalogue.ts'
import type { EffectiveValue } from '../contract.ts'
import type { ConfigComputedValues } from '../contract-extensions.ts'

type ValueOf = (tenantId: number) => Promise<unknown>

/** Values of tenants that follow from something else. */
export class ComputedValues implements ConfigComputedValues {
  readonly #sources = new Map<string, ValueOf>()

  /** The last one who registers a key says its value. */
  register(key: string, valueOf: ValueOf): Disposable {
    const source: ValueOf = (tenantId) => valueOf(tenantId)
    this.#sources.set(key, source)
    return {
      [Symbol.dispose]: () => {
        if (this.#sources.get(key) === source) this.#sources.delete(key)
      },
    }
  }

  /** What holds for a tenant: the computed value where there is one, or what was read. */
  async over(item: CatalogueItem, tenantId: number, read: EffectiveValue): Promise<EffectiveValue> {
    const source = tenantId > 0 && item.declaration.readonly ? this.#sources.get(item.key) : undefined
    const value = await source?.(tenantId)
    return value === undefined ? read : { value, source: 'tenant' }
  }
}
