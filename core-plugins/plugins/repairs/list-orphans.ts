import { pluginNameForm, pluginHash8, pluginRoleName } from '#sandbox'
import type { Knex } from 'knex'
import { listPluginTables } from '../tables/own-tables.ts'
import type { OrphanNeeds } from './needs.ts'

/** What lies about of a plugin that is not installed. */
export interface Orphan {
  /** Null where only the hash of the name is known. */
  readonly name: string | null
  /** Eight digits, as in the names of tables and roles. */
  readonly hash: string
  readonly tables: readonly string[]
  readonly roles: readonly string[]
  /** Rows about applied migrations. */
  readonly migrations: number
  readonly releases: readonly string[]
  /** Of this host. */
  readonly folders: readonly string[]
  readonly storage: { readonly objects: number; readonly bytes: number }
  readonly settings: number
  /** What users chose of its preferences. */
  readonly preferences: number
  /** Roles of users that hold permissions of it. */
  readonly bindings: number
  /** Entries of the navigation that were arranged. */
  readonly menus: number
  /** Backups that were begun and not completed. */
  readonly drafts: number
}

/**
 * Finds, by listing, what no installed plugin owns: tables, roles, releases, folders, objects and
 * settings. A name that is only suspected is looked for too.
 */
export async function listOrphans(parts: OrphanNeeds, suspected?: string): Promise<readonly Orphan[]> {
  const { db, store } = parts
  const tables = await listPluginTables(db)
  const roles = await listRoles(db)
  const folders = await store.list()
  const busy = await namesIn(db('plugin_operations').where({ state: 'running' }).distinct('plugin as name'))
  const installed = await namesIn(db('plugins').select('name'))
  const owned = new Set([...installed, ...busy.filter((name) => name !== suspected)].map(pluginHash8))
  const known = new Set([
    ...(suspected === undefined ? [] : [suspected]),
    ...folders.map(({ name }) => name),
    ...(await namesIn(db('plugin_releases').distinct('name'))),
    ...(await namesIn(db('plugin_migrations').distinct('plugin as name'))),
    ...(await namesIn(db('plugin_operations').distinct('plugin as name'))),
    ...(await namesIn(db('plugin_backups').whereNull('completed_at').distinct('plugin as name'))),
  ])
  const names = [...known].filter((name) => pluginNameForm.test(name) && !owned.has(pluginHash8(name)))
  const byHash = new Map(names.map((name) => [pluginHash8(name), name]))
  const hashes = new Set([...byHash.keys(), ...[...tables, ...roles].map((name) => name.slice(4, 12))])
  const orphans = []
  for (const hash of [...hashes].filter((each) => !owned.has(each)).sort()) {
    const of = (list: readonly string[]) => list.filter((name) => name.startsWith(`plg_${hash}_`))
    const mine = { hash, tables: of(tables), roles: of(roles) }
    const orphan = { ...mine, ...(await readNamed(parts, byHash.get(hash), folders)) }
    if (!isEmpty(orphan)) orphans.push(orphan)
  }
  return orphans
}

async function readNamed(
  { db, storage, config, preferences, access }: OrphanNeeds,
  name: string | undefined,
  folders: readonly { readonly name: string; readonly folder: string }[],
): Promise<Omit<Orphan, 'hash' | 'tables' | 'roles'>> {
  const nothing = { migrations: 0, releases: [], folders: [], storage: { objects: 0, bytes: 0 }, settings: 0 }
  if (name === undefined) return { name: null, ...nothing, preferences: 0, bindings: 0, menus: 0, drafts: 0 }
  const chosen = await db.transaction(async (trx) => {
    const groups = [`plugin.${name}`, `plugin.${name}.platform`]
    const values = []
    for (const group of groups) values.push(...(await config.exportGroup(group, trx)))
    return { settings: values.length, preferences: (await preferences.exportPlugin(name, trx)).length }
  })
  const drafts = await db('plugin_backups').where({ plugin: name }).whereNull('completed_at').select('id')
  const releases = await db('plugin_releases').where({ name }).select<{ version: string }[]>('version')
  const migrations = await db('plugin_migrations').where({ plugin: name }).select('migration')
  return {
    name,
    migrations: migrations.length,
    releases: releases.map(({ version }) => version),
    folders: folders.flatMap((each) => (each.name === name ? each.folder : [])),
    storage: await storage.usage(`plugins/${name}`),
    ...chosen,
    bindings: await access.countPermissions(`plugin.${name}:`, db),
    menus: await access.countMenus(`plugin.${name}.`, db),
    drafts: drafts.length,
  }
}

function isEmpty(orphan: Orphan): boolean {
  const { tables, roles, releases, folders } = orphan
  const { migrations, storage, settings, preferences, bindings, menus, drafts } = orphan
  const counts = [migrations, storage.objects, settings, preferences, bindings, menus, drafts]
  return [tables, roles, releases, folders].every((list) => list.length === 0) && counts.every((count) => count === 0)
}

/** Roles belong to the whole server: these are the ones of this database. */
async function listRoles(db: Knex): Promise<readonly string[]> {
  const answer = await db.raw<{ rows: [{ name: string }] }>('select current_database() as name')
  const suffix = pluginRoleName('', answer.rows[0].name).split('_').at(-1)
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    'select rolname as name from pg_roles where rolname ~ ? order by rolname',
    [`^plg_[0-9a-f]{8}_${suffix}$`],
  )
  return rows.map(({ name }) => name)
}

async function namesIn(query: Knex.QueryBuilder): Promise<readonly string[]> {
  return ((await query) as { name: string }[]).map(({ name }) => name)
}
