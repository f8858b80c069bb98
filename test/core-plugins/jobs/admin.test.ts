// @both-back-ends
import assert from 'node:assert/strict'
import { JobEndedError } from '../../../core-plugins/jobs/errors.ts'
import { jobs, type Jobs } from '../../../core-plugins/jobs/contract.ts'
import system from '../../../core-plugins/system/index.ts'
import { runningKernel } from '../../support/auth.ts'
import type { Body } from '../../support/api.ts'
import { identityPlugins, startTestPlatform, type TestPlatform } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

const everybody = { tenant: 'all' } as const

describe('jobs, as administrators have them', () => {
  let platform: TestPlatform
  let queue: Jobs
  before(async () => {
    platform = await startTestPlatform({ plugins: [...identityPlugins, system] })
    queue = platform.test.kernel.services.get(jobs)
  })
  after(() => platform[Symbol.asyncDispose]())
  beforeEach(() => db()('jobs').queryContext(everybody).delete())

  const db = () => runningKernel(platform).database.knex
  const enqueue = (kind: string, more: Parameters<Jobs['enqueue']>[3] = {}): Promise<string> =>
    db().transaction((trx) => queue.enqueue(trx, kind, { secret: 'shown to nobody' }, more))
  const list = async (query = ''): Promise<Body> => dataOf(await platform.admin.get(`/admin/jobs${query}`))
  const kinds = ({ items }: Body): unknown => (items as unknown as Body[]).map(({ kind }) => kind)
  const post = async (id: string, verb: string): Promise<Body> =>
    dataOf(await platform.admin.post(`/admin/jobs/${id}/${verb}`))
  const audited = async (): Promise<unknown> => {
    const { items } = dataOf(await platform.admin.get('/admin/audit-logs?limit=200'))
    return (items as unknown as Body[])
      .filter(({ target }) => (target as unknown as string).startsWith('job:'))
      .map(({ action, target }) => `${action as unknown as string} ${target as unknown as string}`)
  }

  it('are listed newest first, in pages, by state, kind and tenant, without what they are to work on', async () => {
    await enqueue('a.one', { tenant: 7 })
    await enqueue('b.two', { delay: 3_600_000 })
    const third = await enqueue('c.three', { key: 'k', priority: 3 })
    await enqueue('c.three', { key: 'k' })
    const first = await list('?page_size=2')
    assert.deepEqual(
      [kinds(first), { ...first, items: undefined }],
      [['c.three', 'c.three'], { items: undefined, total: 4, page: 1, page_size: 2, pages: 2 }],
    )
    assert.deepEqual(kinds(await list('?page_size=2&page=2')), ['b.two', 'a.one'])
    assert.deepEqual(kinds(await list('?state=delayed')), ['b.two'])
    assert.deepEqual(kinds(await list('?kind=a.one')), ['a.one'])
    assert.deepEqual(kinds(await list('?tenant_id=7&state=waiting')), ['a.one'])
    assert.deepEqual(kinds(await list('?q=two&sort=id')), ['b.two'])
    assert.equal((await platform.admin.get('/admin/jobs?state=lost')).status, 422)
    const job = dataOf(await platform.admin.get(`/admin/jobs/${third}`))
    const { run_at: runAt, created_at: createdAt, ...rest } = job
    assert.equal(runAt, createdAt)
    assert.deepEqual(rest, {
      ...{ id: Number(third), kind: 'c.three', tenant_id: 0, state: 'waiting', priority: 3, key: 'k', attempts: 0 },
      ...{ is_cancelled: false, percent: null, progress: null, error: null, host: null },
      ...{ scheduled_at: null, started_at: null, finished_at: null },
    })
  })

  it('tell why they failed in the language of who reads it, and what was not said by the platform as it was written', async () => {
    const thrown = [new JobEndedError({ state: 'done' }), new Error('an author wrote this')]
    await using registered = queue.register({
      kind: 'test.told',
      attempts: 1,
      run: ({ payload }) => Promise.reject(thrown[(payload as { at: number }).at]!),
    })
    void registered
    const enqueueAt = (at: number) => db().transaction((trx) => queue.enqueue(trx, 'test.told', { at }))
    const ids = [await enqueueAt(0), await enqueueAt(1)]
    await until(async () => (await list('?kind=test.told&state=dead'))['total'] === (2 as unknown))
    const errors = (language: string) =>
      Promise.all(
        ids.map(async (id) => {
          const headers = { 'accept-language': language }
          return dataOf(await platform.admin.get(`/admin/jobs/${id}`, { headers }))['error']
        }),
      )
    const english = ['The job is done already', 'an author wrote this']
    assert.deepEqual([await errors('en'), (await errors('zh-CN'))[1]], [english, english[1]])
    assert.equal((await errors('zh-CN'))[0], '任务已结束（done）')
    // What an older version wrote has its words alone, and so has what it wrote over newer ones.
    await db()('jobs').queryContext(everybody).where({ kind: 'test.told' }).update({ error: 'older words' })
    assert.deepEqual(await errors('zh-CN'), ['older words', 'older words'])
  })

  it('are tried again once they are dead, and only then', async () => {
    let isBroken = true
    await using registered = queue.register({
      kind: 'test.mended',
      attempts: 1,
      run: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()),
    })
    const id = await enqueue('test.mended', { key: 'k' })
    await until(async () => (await queue.find(id))?.state === 'dead')
    isBroken = false
    assert.ok(registered)
    await post(id, 'retry')
    await until(async () => (await queue.find(id))?.state === 'done')
    assert.deepEqual(refusalOf(await platform.admin.post(`/admin/jobs/${id}/retry`)), {
      ...{ status: 409, code: 4094, reason: 'job_not_ended' },
    })
    assert.deepEqual(await audited(), [`platform_job.retried job:${id}`])
  })

  it('are cancelled before they begin, and the next one of their key goes', async () => {
    const first = await enqueue('test.unknown', { key: 'k' })
    const second = await enqueue('test.unknown', { key: 'k' })
    assert.equal((await queue.find(second))?.state, 'held')
    assert.equal((await post(first, 'cancel'))['state'], 'cancelled' as unknown as Body)
    assert.equal((await queue.find(second))?.state, 'waiting')
    assert.deepEqual(refusalOf(await platform.admin.post(`/admin/jobs/${first}/cancel`)), {
      ...{ status: 409, code: 4094, reason: 'job_ended' },
    })
    // Tried again it goes behind those that came meanwhile.
    assert.equal((await post(first, 'retry'))['state'], 'held' as unknown as Body)
  })

  it('are told to end when they run', async () => {
    let begun = false
    await using registered = queue.register({
      kind: 'test.long',
      async run({ signal }) {
        begun = true
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    const id = await enqueue('test.long')
    await until(() => begun)
    assert.ok(registered)
    assert.equal((await post(id, 'cancel'))['is_cancelled'], true as unknown as Body)
    await until(async () => (await queue.find(id))?.state === 'cancelled')
  })

  it('are nothing for those without the permission, nor for tenants', async () => {
    const tenant = await platform.createTenant('acme')
    const id = await enqueue('test.unknown')
    const calls = [
      ['GET', '/admin/jobs'],
      ['GET', `/admin/jobs/${id}`],
      ['POST', `/admin/jobs/${id}/retry`],
      ['POST', `/admin/jobs/${id}/cancel`],
    ] as const
    const answers = await Promise.all(calls.map(([method, path]) => tenant.owner.call(method, path)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403, 403],
    )
    assert.deepEqual(refusalOf(await platform.admin.get('/admin/jobs/4711000')), {
      ...{ status: 404, code: 4040, reason: 'job_not_found' },
    })
    assert.equal((await queue.find(id))?.state, 'waiting')
  })

  it('go with their tenant', async () => {
    const { id: tenant } = await platform.createTenant('going')
    await enqueue('test.unknown', { tenant })
    await queue.schedule(db(), { name: 'n', kind: 'test.unknown', cron: '0 0 1 1 *', timezone: 'UTC', tenant })
    await enqueue('test.unknown')
    dataOf(await platform.admin.delete(`/admin/tenants/${tenant}`))
    const left = async (table: string) =>
      (await db()(table).queryContext(everybody).where({ tenant_id: tenant })).length
    await until(async () => (await left('jobs')) + (await left('job_schedules')) === 0)
    assert.equal((await list())['total'], 1 as unknown as Body)
  })
})
