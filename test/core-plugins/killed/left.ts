import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import { pluginRoles } from '../../support/plugin-roles.ts'

/** What stays by design: who did what, which hosts there are, whose keys were believed first, and counters that only grow. */
const kept =
  /^plugin_(operations|publishers|hosts|tenant_usage|part_usage|failures|host_gauges|desired_state|source.*)$/
const looked = /^(plugin|plg|storage|config|preferences|kernel_preferences)_/

/** What plugins have in a database and on its hosts. */
export interface Left {
  readonly tables: readonly string[]
  readonly roles: readonly string[]
  readonly rows: Readonly<Record<string, number>>
  readonly files: readonly string[]
}

/** What plugins have at the moment. */
export async function listLeft(db: Knex, dataDirs: readonly string[]): Promise<Left> {
  return db.transaction(async (trx) => {
    await trx.raw(`select set_config('stoa.tenant_id', 'all', true)`)
    const all = await trx('pg_tables').where({ schemaname: 'public' }).orderBy('tablename').pluck<string[]>('tablename')
    const tables = all.filter((table) => looked.test(table) && !kept.test(table))
    const rows: Record<string, number> = {}
    for (const table of tables) {
      const counted = await trx(table).first<{ count: string }>(trx.raw('count(*)'))
      if (Number(counted.count) > 0) rows[table] = Number(counted.count)
    }
    return { tables, roles: await pluginRoles(trx), rows, files: await listFiles(dataDirs) }
  })
}

async function listFiles(dataDirs: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const dataDir of dataDirs) {
    // A half upload of a host among several is another's for all that anybody knows: it goes when it is ten minutes old.
    const staging = dataDirs.length > 1 ? [] : ['staging']
    for (const folder of ['packages', ...staging, 'storage', 'uploads', 'trash']) {
      const at = path.join(dataDir, folder)
      const entries = await readdir(at, { recursive: true, withFileTypes: true }).catch(() => [])
      files.push(...entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)))
    }
  }
  return files.sort()
}
