import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Answer, Api } from '../../support/api.ts'
import { dataOf, type Platform } from '../../support/platform.ts'
import { pluginRoles } from '../../support/plugin-roles.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

/** The steps of a removal, in their order. */
export const removalSteps = [
  ...['stop_dispatch', 'drain', 'hook', 'schedules', 'events', 'registrations', 'front_end', 'permissions'],
  ...['tenants_and_settings', 'licences', 'backup', 'tables', 'storage', 'release'],
]

/** A step of a removal before it is done. */
export interface PlannedStep {
  readonly step: string
  readonly affects: Readonly<Record<string, unknown>>
}

/** A removal, begun or done. */
export interface Operation {
  readonly id: string
  readonly state: string
  readonly step: string
  readonly steps: readonly { readonly step: string }[]
  readonly error: { readonly code: number } | null
}

/** What an uninstall leaves by design: who did what, counters that only grow, and the news of changes, which go by themselves. */
const kept = new Set(['plugin_operations', 'access_audit_log', 'kernel_idempotency_keys', 'changes', 'jobs'])

const figures = new Set(['plugin_tenant_usage', 'plugin_part_usage', 'plugin_failures', 'plugin_host_gauges'])

/** What a platform is made of, for a comparison of before and after. */
export interface Everything {
  readonly tables: readonly string[]
  readonly roles: readonly string[]
  readonly rows: Readonly<Record<string, number>>
  readonly files: readonly string[]
  readonly routes: readonly string[]
  readonly permissions: readonly string[]
  readonly plugins: readonly string[]
}

/** Installs the guestbook for a tenant, which leaves rows, files and settings of its own in it. */
export async function useGuestbook(
  admin: Api,
  zip: Buffer,
  tenant: { readonly owner: Api; readonly id: number },
): Promise<void> {
  const [plugin, mine] = ['/admin/plugins/acme.guestbook', '/tenant/plugins/acme.guestbook']
  await installAndEnable(admin, zip)
  dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [tenant.id] }))
  dataOf(await tenant.owner.post(`${mine}/enable`))
  dataOf(await tenant.owner.post(`${mine}/api/entries`, { author: 'Ann', message: 'Hello' }), 201)
  dataOf(await tenant.owner.put(`${mine}/api/files/note`, { text: 'kept' }))
  dataOf(await tenant.owner.put(`${mine}/config`, { greeting: 'Come in' }))
  dataOf(await admin.put(`${plugin}/config`, { rates_url: 'http://rates.localhost:8099/now' }))
  await until(async () => Number(dataOf(await tenant.owner.get(`${mine}/api/count`))['counted']) === 1)
}

/** Asks again as long as the host goes on by itself with an operation that was not over. */
export async function whenFree(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask()
  await until(async () => (answer.body['code'] as unknown) !== 4092 || ((answer = await ask()), false))
  return answer
}

/** What there is in the database, in the data folder and in the kernel. */
export async function everything({ host }: Platform): Promise<Everything> {
  const { knex } = host.kernel.database
  // Others end when they do; those of plugins that were taken end by themselves.
  const jobs = () => knex('jobs').queryContext({ tenant: 'all' }).where('kind', 'like', 'plugin%')
  await until(async () => !(await jobs().where({ state: 'running' }).first()))
  const tables = await names(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  const roles = await pluginRoles(knex)
  const rows: Record<string, number> = {}
  for (const table of tables.filter((name) => !kept.has(name))) {
    const counted = await knex(table).queryContext({ tenant: 'all' }).first<{ count: string }>(knex.raw('count(*)'))
    rows[table] = Number(counted.count)
  }
  rows['jobs of plugins'] = (await jobs()).length
  const files = await filesBelow(host.dataDir)
  const { routes, permissions, plugins } = host.kernel.registered()
  return {
    ...{ tables, roles, rows, routes, permissions, plugins },
    files: files.sort(),
  }

  async function names(sql: string): Promise<string[]> {
    return (await knex.raw<{ rows: { name: string }[] }>(sql)).rows.map(({ name }) => name)
  }
}

/** All files of a folder; once more where a host lets go of one of its folders meanwhile. */
async function filesBelow(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    return found.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return filesBelow(folder)
  }
}

/** What is compared while the plugin is there: its figures are written in the background. */
export function withoutFigures(all: Everything): Everything {
  const rows = Object.entries(all.rows).filter(([table]) => !figures.has(table))
  return { ...all, rows: Object.fromEntries(rows) }
}

/** What no host lets go of by itself when it sees that a plugin's row is gone. */
export function stored(all: Everything): object {
  const { tables, roles, rows, files } = withoutFigures(all)
  return { tables, roles, rows, files: files.filter((file) => !file.includes('/packages/')) }
}
