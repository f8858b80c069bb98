import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CatalogueRecords } from '../catalogue/catalogue-records.ts'
import type { ConfigReader, EffectiveValue } from '../contract.ts'
import { effectiveValue } from './effective.ts'
import { ConfigError } from '../errors.ts'
import type { ComputedValues } from '../extensions/computed-values.ts'
import type { StoredValues } from './stored-values.ts'
import type { ValueCodec } from './value-codec.ts'

/** What reading and writing stand on. */
export interface ConfigParts {
  readonly catalogue: Catalogue
  readonly records: CatalogueRecords
  readonly stored: StoredValues
  readonly codec: ValueCodec
  readonly computed: ComputedValues
}

/** Makes the reader of effective values. */
export function createReader({ catalogue, records, stored, codec, computed }: ConfigParts): ConfigReader {
  async function find(key: string, tenantId: number): Promise<(EffectiveValue & { hasDefault: boolean }) | undefined> {
    const item = catalogue.findItem(key, tenantId)
    if (!item) return undefined
    const tenantsOwn = tenantId > 0 && item.scope === 'ALL_TENANTS' ? stored.of(tenantId) : undefined
    const [ids, platform, tenant] = await Promise.all([records.ids(), stored.of(0), tenantsOwn])
    const read = effectiveValue(item, { ids, platform, tenant }, codec)
    return { ...(await computed.over(item, tenantId, read)), hasDefault: item.default !== undefined }
  }

  return {
    async get<T>(key: string, tenantId = 0, otherwise?: T) {
      const found = await find(key, tenantId)
      const isSet = found && (found.source !== 'code' || found.hasDefault)
      if (isSet || (found && otherwise === undefined)) return found.value as T
      if (otherwise === undefined) throw new ConfigError({ fault: `nobody declares ${key}` })
      return otherwise
    },
    async item(key, tenantId = 0) {
      const found = await find(key, tenantId)
      return found && { value: found.value, source: found.source }
    },
  }
}
