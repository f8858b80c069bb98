import type { CatalogueGroup, CatalogueItem } from '../catalogue/catalogue.ts'
import type { ConfigItem, GroupDetail, GroupView, GroupVisibility } from '../contract.ts'
import { effectiveValue, ownRow, platformValue, type Levels } from './effective.ts'
import { GroupNotFoundError } from '../errors.ts'
import type { DynamicOptions } from '../extensions/options.ts'
import { registerIn, type Registered } from '../extensions/register-in.ts'
import { presentGroup, presentItem, presentOptions, versionOf } from '../present.ts'
import type { ConfigNames } from '../names.ts'
import type { ConfigParts } from './reader.ts'

/** Adds to a group's detail what was found in values that belong together. */
type Validation = (
  values: Readonly<Record<string, unknown>>,
  locale: string,
) => Promise<Readonly<Record<string, unknown>>>

/** What the views of groups stand on. */
interface GroupViewParts extends ConfigParts {
  readonly options: DynamicOptions
  readonly names: ConfigNames
  readonly validations: ReadonlyMap<string, Validation>
}

/** Shows groups to the platform (tenant 0) and to tenants. */
export class GroupViews {
  readonly #parts: GroupViewParts
  readonly #rules = new Set<Registered<GroupVisibility>>()

  constructor(parts: GroupViewParts) {
    this.#parts = parts
  }

  /** Hides groups from tenants until the result is disposed: a group is there while every rule says so. */
  hideUnless(visible: GroupVisibility): Disposable {
    return registerIn(this.#rules, visible)
  }

  /** The groups that are there: all for the platform, which sets tenants' defaults too. */
  list(tenantId: number): readonly CatalogueGroup[] {
    return this.#parts.catalogue.list().filter((group) => this.#isThere(group, tenantId))
  }

  /** A group that is there. */
  get(code: string, tenantId: number): CatalogueGroup {
    const group = this.#parts.catalogue.findGroup(code)
    if (!group || !this.#isThere(group, tenantId)) throw new GroupNotFoundError()
    return group
  }

  /** What is stored, through the cache. */
  async levels(tenantId: number): Promise<Levels> {
    const { records, stored } = this.#parts
    const tenantsOwn = tenantId > 0 ? stored.of(tenantId) : undefined
    const [ids, platform, tenant] = await Promise.all([records.ids(), stored.of(0), tenantsOwn])
    return { ids, platform, tenant }
  }

  /** A group with its items' values and all that is known only while the platform runs. */
  async show(group: CatalogueGroup, tenantId: number, levels: Levels, view: GroupView = {}): Promise<GroupDetail> {
    const { group: shown, items, etag } = this.describe(group, tenantId, levels, view)
    const declared = [...group.items.values()]
    const completed = await Promise.all(items.map((item, at) => this.#complete(declared[at]!, item, tenantId, view)))
    const validation = await this.#validate(group, levels, view)
    const names = await this.#parts.names.users(
      completed.map((item) => item.updated_by),
      tenantId,
    )
    const named = completed.map((item) => ({ ...item, updated_by_name: names.get(item.updated_by ?? 0) ?? null }))
    return { group: shown, items: named, etag, ...(validation && { validation }) }
  }

  /** A group with what is stored of its items, whose version that is. */
  describe(group: CatalogueGroup, tenantId: number, levels: Levels, view: GroupView = {}): GroupDetail {
    const { locale = 'en', keyPrefix = '' } = view
    const locked = tenantId > 0 ? platformValue(this.#parts, 'tenant_locked_keys', levels) : []
    const shown = [...group.items.values()].map((item) => {
      const row = ownRow(item, levels)
      const { value, source } = effectiveValue(item, levels, this.#parts.codec)
      const whole = {
        value: this.#parts.codec.mask(item, value),
        source,
        isSet: row !== undefined,
        isReadonly: item.declaration.readonly === true || (locked as readonly string[]).includes(item.key),
        updatedAt: row?.updatedAt ?? null,
        updatedBy: row?.updatedBy ?? null,
      }
      return (language: string) => presentItem(item, shorten(item.key, keyPrefix), whole, language)
    })
    const items = shown.map((present) => present(locale))
    // The version is the same in every language, or a writer who reads in another one would be refused.
    const etag = versionOf(locale === 'en' ? items : shown.map((present) => present('en')))
    return { group: presentGroup(group, this.list(tenantId), locale), items, etag }
  }

  async #complete(
    declared: CatalogueItem,
    shown: ConfigItem,
    tenantId: number,
    { locale = 'en' }: GroupView,
  ): Promise<ConfigItem> {
    const { value, source } = await this.#parts.computed.over(declared, tenantId, shown)
    const options = shown.dynamic_options ? await this.#parts.options.list(declared.key, tenantId) : undefined
    return { ...shown, value, source, ...(options && { options: presentOptions(options, locale) }) }
  }

  async #validate(
    group: CatalogueGroup,
    levels: Levels,
    { locale = 'en' }: GroupView,
  ): Promise<GroupDetail['validation']> {
    const entries = [...group.items.values()].map((item) => {
      return [item.key, effectiveValue(item, levels, this.#parts.codec).value] as const
    })
    return this.#parts.validations.get(group.code)?.(Object.fromEntries(entries), locale)
  }

  #isThere({ code, declaration }: CatalogueGroup, tenantId: number): boolean {
    if (tenantId === 0) return true
    return declaration.scope === 'ALL_TENANTS' && [...this.#rules].every(({ entry }) => entry(code, tenantId))
  }
}

/** A key without its prefix. */
export function shorten(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key
}
