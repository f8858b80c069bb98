import type { PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import { BackupRow } from '../backups/models.ts'
import { cleanupSteps } from './cleanup-steps.ts'
import { listOwnTables } from '../tables/own-tables.ts'
import { AssignmentRow, GrantRow, type PluginRow } from '../shared/models.ts'
import type { RowKeepers } from '../shared/row-keepers.ts'
import type { RemainsNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { findPointers } from './find-pointers.ts'
import { listDependants } from '../reading/plugin-facts.ts'
import { readServiceUsers } from '../reading/used-services.ts'

/** PostgreSQL's error codes, appendix A. */
const undefinedTable = '42P01'
const everybody = { tenant: 'all' } as const

type Sources = Pick<RemainsNeeds, 'db' | 'storage' | 'config' | 'rows'>

/** What an uninstall would do, step by step, without doing any of it. */
export async function planUninstall({ db, storage, config, rows }: Sources, plugin: PluginRow) {
  const { manifest } = await getRelease(db, plugin.activeRelease)
  const tables = await measureTables(db, plugin.name)
  const objects = await storage.usage(`plugins/${plugin.name}`)
  const releases = await measureReleases(db, plugin.name)
  const blockedBy = await listDependants(db, plugin.name)
  const users = await readServiceUsers(db, plugin.name)
  const affected: Readonly<Record<string, object>> = {
    ...describeCode(plugin, manifest),
    ...(await describeRows(db, plugin, manifest)),
    ...(await describeKept(rows, plugin, manifest)),
    registrations: {
      ...describeProvided(manifest),
      services_used_by: users.names,
      pointed_to_by: await findPointers(db, config, manifest),
    },
    backup: await describeBackups(db, plugin.name),
    tables: { tables },
    storage: objects,
    release: {
      releases: releases.count,
      grants: await GrantRow.with(db).where({ plugin_id: plugin.id }).resultSize(),
    },
  }
  const bytes = {
    tables: tables.reduce((sum, table) => sum + table.bytes, 0),
    storage: objects.bytes,
    packages: releases.bytes,
  }
  return {
    plugin: plugin.name,
    is_blocked: blockedBy.length > 0,
    blocked_by: blockedBy,
    leaves_without: plugin.status === 'enabled' ? users.leftBy(manifest) : [],
    bytes,
    steps: cleanupSteps.map(({ name }) => ({ step: name, affects: affected[name] ?? {} })),
  }
}

/** What stands in the manifest alone, or was chosen beside it. */
function describeCode(plugin: PluginRow, manifest: PluginManifest) {
  return {
    hook: { hook: manifest.hooks?.uninstall ?? null },
    front_end: {
      slots: (manifest.slots ?? []).map(({ id }) => id),
      menu: (manifest.menu ?? []).map(({ id }) => id),
      menu_choices: Object.keys(plugin.menuConfig),
      icon: plugin.icon !== null,
      preferences: (manifest.preferences ?? []).map(({ key }) => `plugin.${plugin.name}.${key}`),
    },
    permissions: { codes: (manifest.permissions ?? []).map(({ code }) => `plugin.${plugin.name}:${code}`) },
  }
}

function describeProvided({ provides = {} }: PluginManifest) {
  return {
    ai_tools: (provides.aiTools ?? []).map(({ name }) => name),
    ai_providers: (provides.aiProviders ?? []).map(({ code }) => code),
    ai_guardrails: (provides.aiGuardrails ?? []).map(({ code }) => code),
    ai_routers: (provides.aiRouters ?? []).map(({ code }) => code),
    captcha: provides.captcha?.code ?? null,
    storage_drivers: (provides.storageDrivers ?? []).map(({ name }) => name),
  }
}

async function describeRows(db: Knex, { id }: PluginRow, manifest: PluginManifest) {
  return {
    tenants_and_settings: {
      assignments: await AssignmentRow.acrossTenants(db).where({ plugin_id: id, assigned: true }).resultSize(),
      settings: (manifest.config ?? []).map(({ key }) => key),
    },
  }
}

/** What other core plugins keep of the plugin, by the step that deletes it. */
async function describeKept({ all }: RowKeepers, { id, name }: PluginRow, manifest: PluginManifest) {
  const steps: Record<string, object> = {}
  for (const rows of all) steps[rows.step] = { ...steps[rows.step], ...(await rows.describe({ id, name, manifest })) }
  return steps
}

/** Which backups go with the plugin, and which stay for how many days, beside the final one. */
async function describeBackups(db: Knex, plugin: string) {
  const rows = await BackupRow.with(db)
    .where({ plugin })
    .whereNotNull('completed_at')
    .orderBy('id')
    .select('name', 'kind')
  const goes = ({ kind }: Pick<BackupRow, 'kind'>) => kind === 'upgrade' || kind === 'rollback'
  const namesOf = (some: readonly BackupRow[]) => some.map(({ name }) => name)
  return {
    keep_days: 30,
    kept: namesOf(rows.filter((row) => !goes(row))),
    dropped: namesOf(rows.filter(goes)),
  }
}

async function measureReleases(db: Knex, name: string): Promise<{ readonly count: number; readonly bytes: number }> {
  const { count, bytes } = await db('plugin_releases')
    .where({ name })
    .first<{ count: string; bytes: string | null }>(db.raw('count(*) as count, sum(size) as bytes'))
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

async function measureTables(
  db: Knex,
  name: string,
): Promise<readonly { readonly table: string; readonly rows: number; readonly bytes: number }[]> {
  const tables = []
  for (const table of await listOwnTables(db, name)) {
    const measured = await measureTable(db, table)
    if (measured) tables.push({ table, ...measured })
  }
  return tables
}

/** Nothing for a table that was dropped since it was listed: the plugin is being removed. */
async function measureTable(db: Knex, table: string): Promise<{ rows: number; bytes: number } | undefined> {
  try {
    const { rows, bytes } = await db(table)
      .queryContext(everybody)
      .first<{ rows: string; bytes: string }>(
        db.raw('count(*) as rows, pg_total_relation_size(?::regclass) as bytes', [table]),
      )
    return { rows: Number(rows), bytes: Number(bytes) }
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === undefinedTable) return undefined
    throw error
  }
}
