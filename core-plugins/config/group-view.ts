import type { CatalogueGroup } from './catalogue.ts'
import type { GroupDetail, GroupView, GroupVisibility } from './contract.ts'
import { effectiveValue, ownRow, type Levels } from './effective.ts'
import { GroupNotFoundError } from './errors.ts'
import { presentGroup, presentItem, versionOf } from './present.ts'
import type { ConfigParts } from './reader.ts'

/** Shows groups to the platform (tenant 0) and to tenants. */
export class GroupViews {
  readonly #parts: ConfigParts
  readonly #rules = new Set<GroupVisibility>()

  constructor(parts: ConfigParts) {
    this.#parts = parts
  }

  /** Hides groups from tenants until the result is disposed: a group is there while every rule says so. */
  hideUnless(visible: GroupVisibility): Disposable {
    const rule: GroupVisibility = (groupCode, tenantId) => visible(groupCode, tenantId)
    this.#rules.add(rule)
    return { [Symbol.dispose]: () => void this.#rules.delete(rule) }
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

  /** A group with its items' values. */
  describe(group: CatalogueGroup, tenantId: number, levels: Levels, view: GroupView = {}): GroupDetail {
    const { locale = 'en', keyPrefix = '' } = view
    const shown = [...group.items.values()].map((item) => {
      const row = ownRow(item, levels)
      const value = {
        ...effectiveValue(item, levels, this.#parts.secrets),
        isSet: row !== undefined,
        updatedAt: row?.updatedAt ?? null,
        updatedBy: row?.updatedBy ?? null,
      }
      return (language: string) => presentItem(item, shorten(item.key, keyPrefix), value, language)
    })
    const items = shown.map((present) => present(locale))
    // The version is the same in every language, or a writer who reads in another one would be refused.
    const etag = versionOf(locale === 'en' ? items : shown.map((present) => present('en')))
    return { group: presentGroup(group, this.list(tenantId), locale), items, etag }
  }

  #isThere({ code, declaration }: CatalogueGroup, tenantId: number): boolean {
    if (tenantId === 0) return true
    return declaration.scope === 'ALL_TENANTS' && [...this.#rules].every((visible) => visible(code, tenantId))
  }
}

/** A key without its prefix. */
export function shorten(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key
}
