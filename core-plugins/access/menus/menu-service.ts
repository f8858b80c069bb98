import type { Knex } from 'knex'
import {
  lockUntilCommit,
  NotFoundError,
  type MenuDeclaration,
  type PermissionRegistry,
  type PluginHost,
  type Principal,
} from '#kernel'
import type { Access, Audit, Writer } from '../contract.ts'
import { MenuCycleError } from '../errors.ts'
import type { GrantReader } from '../grants/grant-reader.ts'
import { unknownIn } from '../orgs/org-reach.ts'
import { auditEntry } from '../audit-entry.ts'
import { arrangeMenus, isUnderItself, type ArrangedMenu } from './arrange-menus.ts'
import { managedTree, menuTree, withoutEmptyFolders, type ManagedMenu, type Menu } from './menu-tree.ts'
import { MenuOverride } from './models.ts'

/** What menus stand on. */
interface MenuParts {
  readonly db: Knex
  readonly host: PluginHost
  readonly registry: PermissionRegistry
  readonly grants: GrantReader
  readonly access: Pick<Access, 'invalidate'>
  readonly audit: Audit
}

/** Who looks at the navigation. */
type Viewer = Pick<Principal, 'scope' | 'tenantId' | 'can'>

/** What may be said of an entry; null takes the word back, and as a parent means the top. */
interface MenuChange {
  readonly hidden?: boolean | null
  readonly sort?: number | null
  readonly title?: string | null
  /** By language. */
  readonly titles?: Readonly<Record<string, string | undefined>> | null
  readonly parent?: string | null
  /** Takes back what was said of the parent. */
  readonly moved?: false
}

/** The navigation: as callers see it, and as the platform arranges it. */
export class MenuService {
  readonly #parts: MenuParts

  constructor(parts: MenuParts) {
    this.#parts = parts
  }

  /** Entries whose permission the caller holds, in folders that are not empty. */
  async treeFor(principal: Viewer, locale: string): Promise<readonly Menu[]> {
    const all = await this.#arranged(this.#parts.db)
    const foreign = await this.#foreignPlugins(principal, all)
    const visible = all.filter(({ declared, plugin }) => {
      if ((declared.area === 'admin') !== (principal.scope === 'platform')) return false
      if (declared.type === 'plugin' && foreign.has(plugin)) return false
      return declared.permission === undefined || principal.can(declared.permission)
    })
    return withoutEmptyFolders(menuTree(visible, locale))
  }

  /** Everything that is declared for some areas, folders without entries too. */
  async wholeTree(areas: readonly MenuDeclaration['area'][], locale: string): Promise<readonly ManagedMenu[]> {
    const all = await this.#arranged(this.#parts.db)
    return managedTree(
      all.filter(({ declared }) => areas.includes(declared.area)),
      locale,
    )
  }

  /** Arranges one entry; what is not said stays. */
  async update(name: string, { parent, moved, ...change }: MenuChange, writer: Writer): Promise<void> {
    await this.#write(name, 'updated', writer, async (trx) => {
      const all = await this.#arranged(trx)
      const menu = all.find(({ declared }) => declared.name === name)
      if (!menu) throw new NotFoundError()
      if (parent !== undefined) requireParent(menu, parent, all)
      const isBack = moved === false && parent === undefined
      const place = isBack ? { moved: false, parent: null } : parent === undefined ? {} : { moved: true, parent }
      const row = { name, ...change, ...place, updatedAt: new Date() }
      await MenuOverride.with(trx).insert(row).onConflict('name').merge()
    })
  }

  /** Puts an entry back to what its plugin declared. */
  async reset(name: string, writer: Writer): Promise<void> {
    await this.#write(name, 'reset', writer, async (trx) => {
      const isDeclared = (await this.#arranged(trx)).some(({ declared }) => declared.name === name)
      const deleted = await MenuOverride.with(trx).deleteById(name)
      if (deleted === 0 && !isDeclared) throw new NotFoundError()
    })
  }

  async #write(
    name: string,
    what: string,
    writer: Writer,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    const { db, audit, access } = this.#parts
    await db.transaction(async (trx) => {
      // Two moves at once could make a circle that neither of them sees.
      await lockUntilCommit(trx, 'access.menus')
      const before = await MenuOverride.with(trx).findById(name)
      await work(trx)
      const after = await MenuOverride.with(trx).findById(name)
      await audit.record(auditEntry(writer, `platform_menu.${what}`, `menu:${name}`, { before, after }), trx)
    })
    await access.invalidate('all')
  }

  async #arranged(db: Knex): Promise<readonly ArrangedMenu[]> {
    return arrangeMenus(this.#parts.host.manifests, await MenuOverride.with(db))
  }

  /** Plugins with permissions for tenants of which this tenant is given none: they are not assigned to it. */
  async #foreignPlugins({ tenantId }: Viewer, all: readonly ArrangedMenu[]): Promise<ReadonlySet<string>> {
    if (tenantId === 0 || !all.some(({ declared }) => declared.type === 'plugin')) return new Set()
    const given = new Set(await this.#parts.grants.givenTo(tenantId, ['tenant_owner']))
    const ofTenants = this.#parts.registry.list().filter(({ scope }) => scope === 'TENANT')
    const assigned = new Set(ofTenants.flatMap(({ name, plugin }) => (given.has(name) ? [plugin] : [])))
    return new Set(ofTenants.flatMap(({ plugin }) => (assigned.has(plugin) ? [] : [plugin])))
  }
}

function requireParent(menu: ArrangedMenu, parent: string | null, all: readonly ArrangedMenu[]): void {
  if (parent === null) return
  const found = all.find(({ declared }) => declared.name === parent)
  if (found?.declared.area !== menu.declared.area) throw unknownIn('parent', 'there is no such menu in this area')
  const parents = new Map(all.map((entry) => [entry.declared.name, entry.parent]))
  if (isUnderItself(menu.declared.name, parents.set(menu.declared.name, parent))) throw new MenuCycleError()
}
