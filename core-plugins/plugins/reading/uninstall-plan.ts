import type { Knex } from 'knex'
import { cleanupSteps } from '../lifecycle/cleanup-steps.ts'
import { listOwnTables } from '../lifecycle/own-tables.ts'
import { AssignmentRow, GrantRow, ReleaseRow, type PluginRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import { findPointers } from './find-pointers.ts'
import { listDependants } from './plugin-facts.ts'

const everybody = { tenant: 'all' } as const

/** What an uninstall would do, step by step, without doing any of it. */
export async function planUninstall(
  { db, storage, config }: Pick<Parts, 'db' | 'storage' | 'config'>,
  plugin: PluginRow,
) {
  const { manifest } = await getRelease(db, plugin.activeRelease)
  const where = { plugin_id: plugin.id }
  const tables = await measureTables(db, plugin.name)
  const objects = await storage.usage(`plugins/${plugin.name}`)
  const blockedBy = await listDependants(db, plugin.name)
  const affected: Readonly<Record<string, object>> = {
    hook: { hook: manifest.hooks?.uninstall ?? null },
    schedules: {
      schedules: manifest.schedules?.length ?? 0,
      planned: await countRows(db, 'plugin_schedules', plugin.id),
      runs: await countRows(db, 'plugin_schedule_runs', plugin.id),
    },
    events: {
      subscriptions: manifest.events?.subscribe ?? [],
      queued: await countRows(db, 'plugin_events', plugin.id),
    },
    registrations: {
      ai_tools: (manifest.provides?.aiTools ?? []).map(({ name }) => name),
      ai_providers: (manifest.provides?.aiProviders ?? []).map(({ code }) => code),
      captcha: manifest.provides?.captcha?.code ?? null,
      storage_drivers: (manifest.provides?.storageDrivers ?? []).map(({ name }) => name),
      pointed_to_by: await findPointers(db, config, manifest),
    },
    front_end: {
      slots: (manifest.slots ?? []).map(({ id }) => id),
      menu: (manifest.menu ?? []).map(({ id }) => id),
      menu_choices: Object.keys(plugin.menuConfig),
      icon: plugin.icon !== null,
      preferences: (manifest.preferences ?? []).map(({ key }) => `plugin.${plugin.name}.${key}`),
    },
    permissions: { codes: (manifest.permissions ?? []).map(({ code }) => `plugin.${plugin.name}:${code}`) },
    tenants_and_settings: {
      assignments: await AssignmentRow.acrossTenants(db)
        .where({ ...where, assigned: true })
        .resultSize(),
      settings: (manifest.config ?? []).map(({ key }) => key),
    },
    licences: { type: manifest.licensing?.type ?? 'free' },
    backup: { keep_days: 30, kept: await listBackupNames(db, plugin.name) },
    tables: { tables },
    storage: objects,
    release: {
      releases: await ReleaseRow.with(db).where({ name: plugin.name }).resultSize(),
      grants: await GrantRow.with(db).where(where).resultSize(),
    },
  }
  const packages = await ReleaseRow.with(db).where({ name: plugin.name }).sum('size as bytes').first()
  const bytes = {
    tables: tables.reduce((sum, table) => sum + table.bytes, 0),
    storage: objects.bytes,
    packages: Number((packages as { bytes?: string } | undefined)?.bytes ?? 0),
  }
  return {
    plugin: plugin.name,
    is_blocked: blockedBy.length > 0,
    blocked_by: blockedBy,
    bytes,
    steps: cleanupSteps.map(({ name }) => ({ step: name, affects: affected[name] ?? {} })),
  }
}

async function countRows(db: Knex, table: string, pluginId: number): Promise<number> {
  const counted = await db(table)
    .queryContext(everybody)
    .where({ plugin_id: pluginId })
    .first<{ count: string }>(db.raw('count(*) as count'))
  return Number(counted.count)
}

async function listBackupNames(db: Knex, plugin: string): Promise<readonly string[]> {
  const rows = await db('plugin_backups')
    .where({ plugin })
    .whereNotNull('completed_at')
    .orderBy('id')
    .select<{ name: string }[]>('name')
  return rows.map(({ name }) => name)
}

async function measureTables(
  db: Knex,
  name: string,
): Promise<readonly { readonly table: string; readonly rows: number; readonly bytes: number }[]> {
  const tables = []
  for (const table of await listOwnTables(db, name)) {
    const { rows, bytes } = await db(table)
      .queryContext(everybody)
      .first<{ rows: string; bytes: string }>(
        db.raw('count(*) as rows, pg_total_relation_size(?::regclass) as bytes', [table]),
      )
    tables.push({ table, rows: Number(rows), bytes: Number(bytes) })
  }
  return tables
}
