import { fillTemplate, pickText, toldIn, type FieldError, type Principal } from '#kernel'
import type { CatalogueGroup, CatalogueItem } from '../catalogue/catalogue.ts'
import type { ConfigObjection, WriteOptions } from '../contract.ts'
import { effectiveValue, inheritedValue, platformValue, type Levels } from '../reading/effective.ts'
import { ConfigValueInvalidError } from '../errors.ts'
import type { Checks } from '../extensions/checks.ts'
import type { FileValues } from '../extensions/files.ts'
import { shorten } from '../reading/group-view.ts'
import { checkWrite, planChanges, type CheckedWrite, type Refusal } from './plan-write.ts'
import type { ConfigParts } from '../reading/reader.ts'
import { presentFault } from '../values/fault.ts'

/** A write as it was asked for. */
export interface WantedWrite {
  readonly group: CatalogueGroup
  readonly tenantId: number
  readonly values: Readonly<Record<string, unknown>>
  readonly options: WriteOptions
}

/** Which changes of tenants' users wait for an approval. */
type ApprovalMode = 'off' | 'sensitive' | 'all'

/** What may be written: by the items' own rules, by the platform's policy, and by the checks that plugins add. */
export class WriteRules {
  readonly #parts: ConfigParts
  readonly #checks: Checks
  readonly #files: FileValues

  constructor(parts: ConfigParts, checks: Checks, files: FileValues) {
    this.#parts = parts
    this.#checks = checks
    this.#files = files
  }

  /** The write in the form of its items' types; throws one 422/4222 with all that is wrong with it. */
  async check(wanted: WantedWrite, levels: Levels): Promise<CheckedWrite> {
    const { group, values, options } = wanted
    const write = checkWrite(group, values, options, this.#refusal(wanted, levels))
    const objections = await this.#object(wanted, write, levels)
    const { locale = 'en', keyPrefix = '' } = options
    const refused = new Set(write.faults.map(([{ key }]) => key))
    const errors = [
      ...write.faults.map(([{ key }, fault]) => presentFault(shorten(key, keyPrefix), fault, locale)),
      // What is refused for itself is not held against the rest.
      ...objections.flatMap((objection) =>
        refused.has(objection.key) ? [] : presentObjection(objection, keyPrefix, locale),
      ),
    ]
    if (errors.length > 0) throw new ConfigValueInvalidError({ errors })
    return write
  }

  /** Which changes of a writer wait. */
  approvalOf(actor: Principal | null, levels: Levels): ApprovalMode {
    return actor?.scope === 'tenant' ? (this.#platformValue('tenant_config_approval', levels) as ApprovalMode) : 'off'
  }

  #refusal({ tenantId, options }: WantedWrite, levels: Levels): Refusal {
    const isTenants = tenantId > 0 && options.actor?.scope === 'tenant'
    const locked = isTenants ? (this.#platformValue('tenant_locked_keys', levels) as readonly string[]) : []
    return ({ key, declaration }) => {
      if (declaration.readonly && !options.includesReadonly) return { rule: 'readonly' }
      return locked.includes(key) ? { rule: 'locked' } : undefined
    }
  }

  async #object(
    { group, tenantId, options }: WantedWrite,
    write: CheckedWrite,
    levels: Levels,
  ): Promise<readonly ConfigObjection[]> {
    const { codec } = this.#parts
    const changes = new Map(planChanges(write, levels, codec).map((change) => [change.item, change]))
    const valueOf = (item: CatalogueItem): unknown => {
      const change = changes.get(item)
      if (!change) return effectiveValue(item, levels, codec).value
      return change.after === undefined ? inheritedValue(item, levels, codec) : change.after
    }
    const written = [...changes].map(([item, { after }]) => ({ item, value: after }))
    const objections = await Promise.all([
      this.#files.objectionsTo(tenantId, written),
      this.#checks.ask({
        tenantId,
        group: group.code,
        keys: [...changes.keys()].map(({ key }) => key),
        values: Object.fromEntries([...group.items.values()].map((item) => [item.key, valueOf(item)])),
        ip: options.ip,
      }),
    ])
    return objections.flat()
  }

  #platformValue(key: string, levels: Levels): unknown {
    return platformValue(this.#parts, key, levels)
  }
}

function presentObjection(
  { key, rule, message, params = {} }: ConfigObjection,
  prefix: string,
  locale: string,
): FieldError {
  return {
    field: shorten(key, prefix),
    rule,
    message: fillTemplate(pickText(message, locale), params),
    params,
    ...toldIn(locale),
  }
}
