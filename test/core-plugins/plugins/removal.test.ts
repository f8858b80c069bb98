// @both-back-ends
import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { packFixture } from '../../support/packages.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import {
  everything,
  removalSteps as steps,
  stored,
  useGuestbook,
  whenFree,
  withoutFigures,
  type Operation,
  type PlannedStep,
} from './removal-world.ts'

const plugin = '/admin/plugins/acme.guestbook'
const mine = '/tenant/plugins/acme.guestbook'

describe('removing a plugin', () => {
  let platform: Platform
  let admin: Api
  let zip: Buffer
  let tenant: { owner: Api; id: number }

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    zip = await packFixture('guestbook')
    // A table of another plugin, which is among all that stays.
    await platform.host.kernel.database.knex.raw('create table plg_0000beef_rows (tenant_id integer)')
    tenant = await createTenant(admin, 'one')
    await createUser(tenant.owner, 'one', ['tenant_user:list'])
  })
  after(() => platform[Symbol.asyncDispose]())

  const use = (): Promise<void> => useGuestbook(admin, zip, tenant)

  it('with purge leaves no table, role, row, file, route or permission, but the operation and audit rows', async () => {
    const { roles } = dataOf(await tenant.owner.get('/auth/me')) as unknown as { roles: unknown }
    const before = await everything(platform)
    await use()
    const role = dataOf(await tenant.owner.get('/tenant/roles?q=role_'))['items']?.['0']
    assert.ok(role)
    const during = await everything(platform)
    assert.equal(during.tables.length, before.tables.length + 2)
    assert.equal(during.roles.length, before.roles.length + 1)
    const removed = dataOf(await admin.delete(`${plugin}?purge=true`))
    assert.deepEqual(await everything(platform), before)
    assert.deepEqual(refusalOf(await tenant.owner.get(`${mine}/api/entries`)).code, 4044)
    assert.deepEqual(refusalOf(await admin.get(plugin)).code, 4046)
    assert.deepEqual((dataOf(await tenant.owner.get('/auth/me')) as unknown as { roles: unknown }).roles, roles)
    const operation = dataOf(await admin.get(`${plugin}/operations/${removed['operation_id'] as unknown as string}`))
    const done = operation['steps'] as unknown as { step: string; result: object }[]
    assert.deepEqual(
      done.map(({ step }) => step),
      steps,
    )
    assert.deepEqual(done.find(({ step }) => step === 'storage')?.result, { objects: 1, bytes: 4 })
    assert.deepEqual(done.find(({ step }) => step === 'tenants_and_settings')?.result, { values: 2, assignments: 1 })
  })

  it('takes its permissions from the roles that hold them, and those of no other plugin', async () => {
    await use()
    const roles = () =>
      platform.host.kernel.database
        .knex('access_roles')
        .queryContext({ tenant: tenant.id })
        .whereLike('code', 'role\\_%')
    const others = ['tenant_user:list', 'plugin.acme.guestbooks:read', 'plugin.acme.guest:*']
    await roles().update({ permissions: [...others, 'plugin.acme.guestbook:read', 'plugin.acme.guestbook:*'] })
    dataOf(await admin.delete(`${plugin}?purge=true`))
    const held = (await roles().pluck('permissions')) as string[][]
    await roles().update({ permissions: ['tenant_user:list'] })
    assert.deepEqual(held, [others])
  })

  it('the plan says beforehand what would go, and removes nothing', async () => {
    await use()
    const before = withoutFigures(await everything(platform))
    const plan = dataOf(await admin.get(`${plugin}/uninstall-plan`)) as unknown as {
      steps: { step: string; affects: Record<string, unknown> }[]
    }
    assert.deepEqual(
      plan.steps.map(({ step }) => step),
      steps,
    )
    const { tables } = plan.steps.find(({ step }) => step === 'tables')?.affects as { tables: { rows: number }[] }
    assert.deepEqual(
      tables.map(({ rows }) => rows),
      [1, 1],
    )
    const affected = (name: string) => plan.steps.find(({ step }) => step === name)?.affects
    assert.deepEqual(affected('licences'), { type: 'free', licences: 0 })
    assert.deepEqual(affected('backup'), { keep_days: 30, kept: [], dropped: [] })
    assert.deepEqual(withoutFigures(await everything(platform)), before)
  })

  it('without purge one final backup stays, and it can be installed again', async () => {
    const removed = dataOf(await admin.delete(plugin))
    const operation = dataOf(await admin.get(`${plugin}/operations/${removed['operation_id'] as unknown as string}`))
    const done = operation['steps'] as unknown as { step: string; result: { backup: string } }[]
    const { backup } = done.find(({ step }) => step === 'backup')?.result ?? { backup: '' }
    const { items } = dataOf(await admin.get(`${plugin}/backups`)) as unknown as { items: { name: string }[] }
    assert.deepEqual(
      items.map(({ name }) => name),
      [backup],
    )
    await use()
    dataOf(await admin.delete(`${plugin}?purge=true`))
    assert.equal(refusalOf(await admin.get(`${plugin}/backups`)).code, 4046)
  })

  it('and installed again it begins without what it cost before', async () => {
    await use()
    dataOf(await admin.delete(`${plugin}?purge=true`))
    dataOf(await upload(admin, zip), 201)
    const { breaker, kills, tenants, recent_failures } = dataOf(
      await admin.get(`${plugin}/metrics`),
    ) as object as Record<string, unknown>
    assert.deepEqual(
      { breaker, kills, tenants, recent_failures },
      { breaker: 'closed', kills: {}, tenants: [], recent_failures: [] },
    )
    dataOf(await admin.delete(`${plugin}?purge=true`))
  })

  it('is refused while another plugin requires it', async () => {
    dataOf(await upload(admin, await packSmall('acme.base')), 201)
    dataOf(await upload(admin, await packSmall('acme.above', { requires: { 'acme.base': '^1.0.0' } })), 201)
    const refused = await admin.delete('/plugins/acme.base')
    assert.deepEqual(refusalOf(refused), { status: 409, code: 4095, reason: 'plugin_required' })
    assert.deepEqual(refused.body['details'], { by: ['acme.above'] })
    dataOf(await admin.delete('/plugins/acme.above?purge=true'))
    dataOf(await admin.delete('/plugins/acme.base?purge=true'))
  })

  it('that stopped at a step goes on there, by itself or when it is asked again', async () => {
    const { knex } = platform.host.kernel.database
    await use()
    await knex.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'not yet'; end $$`)
    await knex.raw('create trigger refuse before delete on plugin_migrations for each row execute function refuse()')
    assert.equal((await admin.delete(`${plugin}?purge=true`)).status, 500)
    const [stopped] = dataOf(await admin.get(`${plugin}/operations?limit=1`))['items'] as unknown as Operation[]
    assert.deepEqual([stopped?.state, stopped?.step, stopped?.steps.length], ['running', 'tables', 11])
    assert.equal(stopped?.error?.code, 5000)
    const gone = { status: 404, code: 4044, reason: 'route_not_found' }
    assert.deepEqual(refusalOf(await tenant.owner.get(`${mine}/api/entries`)), gone)
    assert.deepEqual(refusalOf(await whenFree(() => admin.post(`${plugin}/enable`))).code, 5000)
    await knex.raw('drop function refuse cascade')
    // Unless the host was quicker.
    const asked = await whenFree(() => admin.delete(`${plugin}?purge=true`))
    if (asked.status !== 404) assert.equal(dataOf(asked)['operation_id'], stopped?.id)
    const done = dataOf(await admin.get(`${plugin}/operations/${String(stopped?.id)}`)) as unknown as Operation
    assert.deepEqual([done.state, done.steps.map(({ step }) => step), done.error], ['succeeded', steps, null])
    assert.deepEqual(refusalOf(await admin.get(plugin)).code, 4046)
  })

  it('begun once and ended by another removal leaves one final backup, that of the beginning', async () => {
    const { knex } = platform.host.kernel.database
    await use()
    await knex.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'not yet'; end $$`)
    await knex.raw('create trigger refuse before delete on plugin_migrations for each row execute function refuse()')
    assert.equal((await admin.delete(plugin)).status, 500)
    await knex.raw('drop function refuse cascade')
    // Unless the host was quicker.
    const asked = await whenFree(() => admin.delete(`${plugin}/force-cleanup`))
    if (asked.status !== 404) dataOf(asked)
    const { items } = dataOf(await admin.get(`${plugin}/backups`)) as unknown as { items: { rows: number }[] }
    assert.deepEqual(
      items.map(({ rows }) => rows),
      [2],
    )
    await use()
    dataOf(await admin.delete(`${plugin}?purge=true`))
  })

  it('takes its schedules with what is kept of their runs, and what was set aside, at their own steps', async () => {
    const { knex } = platform.host.kernel.database
    const everybody = { tenant: 'all' }
    const before = await everything(platform)
    const manifest = {
      ...{ capabilities: ['schedule', 'events'], reasons: { schedule: 'Ticks.', events: 'Listens.' } },
      schedules: [{ id: 'nightly', cron: '0 2 * * *', handler: 'tick', perTenant: true }],
      events: { subscribe: ['kernel.plugin.enabled'] },
    }
    const definition =
      '{ schedules: { tick: () => null }, events: { "kernel.plugin.enabled"() { throw new Error("no") } } }'
    await installAndEnable(admin, await packSmall('acme.clock', manifest, definition))
    dataOf(await admin.post('/admin/plugins/acme.clock/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await tenant.owner.post('/tenant/plugins/acme.clock/enable'))
    const rows = async (table: string): Promise<number> => (await knex(table).queryContext(everybody)).length
    await until(async () => (await rows('plugin_schedules')) === 1)
    dataOf(await admin.post('/admin/plugins/acme.clock/schedules/nightly/run'), 202)
    await until(async () => (await rows('plugin_schedule_runs')) === 1)
    const plan = dataOf(await admin.get('/plugins/acme.clock/uninstall-plan'))['steps'] as unknown as PlannedStep[]
    const affects = plan.find(({ step }) => step === 'schedules')?.affects
    assert.deepEqual(affects, { schedules: 1, planned: 1, runs: 1, jobs: 0 })
    const removed = dataOf(await admin.delete('/plugins/acme.clock?purge=true'))
    const path = `/plugins/acme.clock/operations/${removed['operation_id'] as unknown as string}`
    const done = dataOf(await admin.get(path))['steps'] as unknown as { step: string; result: object }[]
    assert.deepEqual(done.find(({ step }) => step === 'schedules')?.result, { schedules: 1, planned: 1, jobs: 0 })
    assert.deepEqual(await everything(platform), before)
  })

  it('goes on although the uninstall hook throws', async () => {
    const definition = '{ handlers: {}, hooks: { bye() { throw new Error("I stay") } } }'
    dataOf(await upload(admin, await packSmall('acme.clingy', { hooks: { uninstall: 'bye' } }, definition)), 201)
    const removed = dataOf(await admin.delete('/plugins/acme.clingy?purge=true'))
    const path = `/plugins/acme.clingy/operations/${removed['operation_id'] as unknown as string}`
    const done = dataOf(await admin.get(path))['steps'] as unknown as { step: string; result: object }[]
    assert.deepEqual(done.find(({ step }) => step === 'hook')?.result, { ok: false, error: 'I stay' })
  })

  it('that ends while its detail is read does not break what is answered', async () => {
    await use()
    const { knex } = platform.host.kernel.database
    const { asked } = await knex.transaction(async (trx) => {
      await trx.raw('lock table plugin_releases in access exclusive mode')
      const asked = admin.get(plugin)
      await until(async () => (await knex('pg_locks').where({ granted: false })).length > 0)
      await trx('plugins').where({ name: 'acme.guestbook' }).delete()
      await trx('plugin_releases').where({ name: 'acme.guestbook' }).delete()
      return { asked }
    })
    const { status } = await asked
    assert.ok(status === 200 || status === 404, String(status))
    dataOf(await admin.delete(`${plugin}/force-cleanup?purge=true`))
  })

  it('force-cleanup removes what is left of a plugin without a row, and runs no code', async () => {
    const { roles, tables } = await everything(platform)
    await use()
    const { knex } = platform.host.kernel.database
    await knex('plugins').where({ name: 'acme.guestbook' }).delete()
    const before = await everything(platform)
    assert.equal(before.tables.length, tables.length + 2)
    const plan = dataOf(await admin.delete(`${plugin}/force-cleanup?dry_run=true`))
    assert.equal(plan['found']?.['name'], 'acme.guestbook')
    assert.deepEqual(stored(await everything(platform)), stored(before))
    dataOf(await admin.delete(`${plugin}/force-cleanup?purge=true`))
    const after = await everything(platform)
    assert.deepEqual([after.tables, after.roles], [tables, roles])
    assert.deepEqual([after.rows['plugin_releases'], after.rows['storage_objects']], [0, 0])
    assert.equal(refusalOf(await admin.delete(`${plugin}/force-cleanup`)).code, 4046)
  })
})
