import type { Api } from '../../support/api.ts'
import { dataOf, type Platform } from '../../support/platform.ts'
import { packSmall } from '../../support/small-plugin.ts'

/** What a handler of the test's plugin wrote down of a run. */
export interface Heard {
  readonly id: string
  readonly run_id: string
  readonly attempt: number
  readonly scheduled_at: string
  readonly tenant: string | null
}

/** A schedule of a manifest, as a test states it. */
export interface TestSchedule {
  readonly id: string
  readonly cron: string
  readonly timezone?: string
  readonly perTenant?: boolean
  readonly timeoutMs?: number
  readonly handler?: string
}

/** Packs a plugin whose schedules write down that they ran; `slow` and `broken` are handlers too. */
export function packClock(name: string, schedules: readonly TestSchedule[], more: object = {}): Promise<Buffer> {
  const definition = `{
    handlers: {
      heard: async (_, ctx, db) => ({ items: (await db.table('runs').select().orderBy('id').limit(1000)).map(({ run }) => JSON.parse(run)) }),
    },
    schedules: {
      tick: note,
      async broken(run, ctx, db) { await note(run, ctx, db); throw new Error('out of order') },
      async slow(run, ctx, db) {
        await note(run, ctx, db)
        if (run.attempt === 1) await new Promise(() => {})
      },
    },
  }
  async function note(run, ctx, db) {
    await db.table('runs').insert({ run: JSON.stringify({ ...run, tenant: ctx.tenant && ctx.tenant.code }) })
  }`
  return packSmall(
    name,
    {
      capabilities: ['schedule', 'db:own_tables'],
      reasons: { schedule: 'Keeps time.', 'db:own_tables': 'Remembers.' },
      db: { tables: ['runs'], migrations: 'migrations/' },
      schedules: schedules.map((schedule) => ({ handler: 'tick', ...schedule })),
      tenant_routes: [{ method: 'GET', path: '/heard', handler: 'heard' }],
      admin_routes: [{ method: 'GET', path: '/heard', handler: 'heard' }],
      ...more,
    },
    definition,
    { 'migrations/0001_init.up.sql': 'create table runs (id bigserial primary key, run text not null);' },
  )
}

/** What the plugin wrote down, for the caller's tenant or the platform. */
export async function heardBy(api: Api, plugin: string, area: 'admin' | 'tenant' = 'admin'): Promise<readonly Heard[]> {
  return dataOf(await api.get(`/${area}/plugins/${plugin}/api/heard`))['items'] as unknown as Heard[]
}

/** A schedule as administrators see it. */
export interface ShownSchedule {
  readonly id: string
  readonly next_run_at: string | null
  readonly running: number
  readonly skipped: number
  readonly consecutive_failures: number
  readonly last_run: { readonly outcome: string; readonly run_id: string; readonly attempt: number } | null
}

/** What administrators see of a schedule. */
export async function scheduleOf(admin: Api, plugin: string, id: string): Promise<ShownSchedule> {
  const items = dataOf(await admin.get(`/plugins/${plugin}/schedules`))['items'] as unknown as ShownSchedule[]
  const found = items.find((item) => item.id === id)
  if (!found) throw new Error(`no schedule ${id}`)
  return found
}

/** A schedule of one tenant as it is stored. */
export interface StoredSchedule {
  readonly plugin_id: number
  readonly tenant_id: number
  readonly schedule: string
  readonly next_run_at: Date
  readonly due_at: Date | null
  readonly job_id: string | null
  readonly run_id: string | null
}

/** The stored next runs of a schedule, for a test to move time. */
export function rowsOf({ host }: Platform, schedule: string) {
  return host.kernel.database
    .knex<StoredSchedule>('plugin_schedules')
    .queryContext({ tenant: 'all' })
    .where({ schedule })
}

/** Makes the next time of a schedule have come so many seconds ago. */
export async function makeDue(platform: Platform, schedule: string, secondsAgo = 1): Promise<Date> {
  const at = new Date(Date.now() - secondsAgo * 1000)
  await rowsOf(platform, schedule).update({ next_run_at: at, due_at: at })
  await platform.host.kernel.database
    .knex('jobs')
    .queryContext({ tenant: 'all' })
    .where({ kind: 'plugin_schedules.run', state: 'delayed' })
    .whereLike('dedupe', `%/${schedule}`)
    .update({ run_at: at })
  return at
}
