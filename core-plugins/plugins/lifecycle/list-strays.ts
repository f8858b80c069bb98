import { PLUGIN_NAME, pluginHash8 } from '#sandbox'
import { ReleaseRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import { findTwin } from '../releases/compatibility.ts'
import { listOwnTables, listPluginTables } from './own-tables.ts'

/** What lies about without a plugin that it belongs to. */
export interface Strays {
  readonly tables: readonly string[]
  readonly releases: readonly string[]
  readonly folders: readonly string[]
}

/** Finds, by listing, what no installed plugin owns. */
export async function listStrays({ db, store }: Pick<Parts, 'db' | 'store'>): Promise<Strays> {
  const rows = await db('plugins').select<{ name: string }[]>('name')
  const names = new Set(rows.map(({ name }) => name))
  const prefixes = [...names].map((name) => `plg_${pluginHash8(name)}_`)
  const tables = await listPluginTables(db)
  const releases = await ReleaseRow.with(db)
    .whereNotIn('name', [...names])
    .select('name', 'version')
  const folders = await store.list()
  return {
    tables: tables.filter((table) => !prefixes.some((prefix) => table.startsWith(prefix))),
    releases: releases.map(({ name, version }) => `${name} ${version}`),
    folders: folders.flatMap(({ name, folder }) => (names.has(name) ? [] : `${name}/${folder}`)),
  }
}

/** Whether anything lies about under a plugin's name. */
export async function isStray(
  { db, store, storage }: Pick<Parts, 'db' | 'store' | 'storage'>,
  name: string,
): Promise<boolean> {
  if (!PLUGIN_NAME.test(name) || (await findTwin(db, name)) !== undefined) return false
  const tables = await listOwnTables(db, name)
  const release = await ReleaseRow.with(db).findOne({ name })
  const folders = await store.list()
  const { objects } = await storage.usage(`plugins/${name}`)
  return tables.length + objects > 0 || release !== undefined || folders.some((folder) => folder.name === name)
}
