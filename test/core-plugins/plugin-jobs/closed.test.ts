import assert from 'node:assert/strict'
import { StepLedger } from '../../../core-plugins/plugin-jobs/step-ledger.ts'
import type { JobRow } from '../../../core-plugins/plugin-jobs/job-row.ts'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { packWorker } from './worker.ts'

const worker = 'acme.worker'
const other = 'acme.other'
const later = { delay: 3_600_000 }

describe('jobs of plugins that are not to be done', () => {
  let platform: Platform
  let admin: Api
  let owner: Api
  let tenantId: number
  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    ;({ owner, id: tenantId } = await createTenant(admin, 'closed'))
    const refusable = { capabilities: ['db:own_tables'], optionalCapabilities: ['jobs'] }
    for (const zip of [await packWorker(worker, refusable), await packWorker(other)]) await installAndEnable(admin, zip)
    for (const plugin of [worker, other]) {
      dataOf(await admin.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: [tenantId] }))
      dataOf(await owner.post(`/tenant/plugins/${plugin}/enable`))
    }
  })
  after(() => platform[Symbol.asyncDispose]())

  const db = () => platform.host.kernel.database.knex
  const rows = (table: string) => db()(table).queryContext({ tenant: 'all' })
  const rowOf = async (id: string): Promise<JobRow> => await rows('plugin_jobs').where({ id }).first<JobRow>('*')
  const jobs = (plugin = worker) => `/tenant/plugins/${plugin}/api/jobs`
  const start = async (name: string, input: unknown = null): Promise<string> =>
    dataOf(await owner.post(jobs(), { name, input, options: later }))['id'] as unknown as string
  const inQueue = (sql: string, id: string) =>
    db().raw<{ rows: { late: boolean }[] }>(sql, [id]).queryContext({ tenant: 'all' })
  const makeDue = (id: string) => inQueue(`update jobs set run_at = now() where payload->>'id' = ?`, id)
  /** Whether it was looked at: put off for a while, or done. */
  const isLookedAt = async (id: string): Promise<boolean> => {
    const late = `select run_at > now() + interval '10 seconds' as late from jobs where payload->>'id' = ?`
    return (await inQueue(late, id)).rows[0]?.late !== false
  }

  it('are nothing to another plugin of the tenant', async () => {
    const id = await start('count', { to: 1 })
    assert.deepEqual(
      [dataOf(await owner.get(`${jobs(other)}/${id}`)), dataOf(await owner.delete(`${jobs(other)}/${id}`))],
      [{ job: null }, { cancelled: false }],
    )
    assert.deepEqual(dataOf(await owner.delete(`${jobs()}/${id}`)), { cancelled: true })
  })

  it('wait while the tenant is closed, refuses them, or has the plugin switched off', async () => {
    const status = (to: string) => admin.put(`/admin/tenants/${String(tenantId)}`, { status: to })
    const enable = (denied: readonly string[]) =>
      owner.post(`/tenant/plugins/${worker}/enable`, { capabilities_denied: denied })
    const disable = () => owner.post(`/tenant/plugins/${worker}/disable`)
    const cases = [
      ['closed', () => status('disabled'), () => status('active')],
      ['refused', async () => (await disable(), enable(['jobs'])), async () => (await disable(), enable([]))],
      ['off', disable, () => enable([])],
    ] as const
    for (const [what, shut, open] of cases) {
      const id = await start('count', { to: 1 })
      dataOf(await shut())
      await makeDue(id)
      await until(() => isLookedAt(id))
      const { status: state, steps } = await rowOf(id)
      assert.deepEqual([state, steps], ['waiting', 0], what)
      dataOf(await open())
      await makeDue(id)
      await until(async () => (await rowOf(id)).status === 'done')
    }
  })

  it('are not taken while the plugin is being removed', async () => {
    const removing = (is: boolean) => db()('plugins').where({ name: worker }).update({ removing: is })
    const waiting = async () => (await rows('plugin_jobs').where({ status: 'waiting' })).length
    const before = await waiting()
    await removing(true)
    const refused = await owner.post(jobs(), { name: 'count', input: { to: 1 }, options: later })
    await removing(false)
    assert.ok(refused.status >= 400, JSON.stringify(refused.body))
    assert.equal(await waiting(), before)
    await start('count', { to: 1 })
    assert.equal(await waiting(), before + 1)
  })

  it('are given up after the fifth try', async () => {
    const id = await start('broken')
    await rows('plugin_jobs').where({ id }).update({ attempts: 4 })
    await makeDue(id)
    await until(async () => (await rowOf(id)).status === 'failed')
    const { error_said: said, attempts } = await rowOf(id)
    assert.deepEqual([said, attempts], [{ words: 'never' }, 5])
  })

  it('are written by nobody who has them no more', async () => {
    const id = await start('count', { to: 1 })
    const before = await rowOf(id)
    const hold = () => Promise.reject(new Error('another host has it'))
    const job = { payload: { pluginId: before.plugin_id, id }, tenantId, hold } as unknown as Parameters<
      StepLedger['end']
    >[0]
    const ledger = new StepLedger(db())
    await assert.rejects(ledger.end(job, before, { kind: 'done', result: 1 }), /another host/)
    await assert.rejects(ledger.fail(job, { words: 'no' }), /another host/)
    assert.deepEqual(await rowOf(id), before)
  })

  it('are as far from where all began as what began them', async () => {
    const id = await start('again')
    await rows('plugin_jobs').where({ id }).update({ hop: 7 })
    await makeDue(id)
    await until(async () => (await rowOf(id)).status === 'done')
    const { result } = (await rowOf(id)) as JobRow & { readonly result: { readonly id: string } }
    assert.equal((await rowOf(result.id)).hop, 7)
  })
})
