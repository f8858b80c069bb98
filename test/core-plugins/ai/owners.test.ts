import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { AlertRow } from '../../../core-plugins/ai/health/alerts/tables.ts'
import { tellJob } from '../../../core-plugins/ai/health/alerts/tell.ts'
import { dropPartitions, makePartitions } from '../../../core-plugins/ai/health/partitions.ts'
import { ResponseBounds } from '../../../core-plugins/ai/surfaces/responses/response-bounds.ts'
import { ResponseStore } from '../../../core-plugins/ai/surfaces/responses/response-store.ts'
import type { Api } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until as wait } from '../../support/until.ts'

const everybody = { tenant: 'all' } as const
/** What is heard within a second. */
const until = (condition: () => Promise<boolean>) => wait(condition, 15_000)

describe('what AI has of users and tenants', () => {
  let platform: Platform
  let owner: Api
  let tenantId: number

  before(async () => {
    platform = await startPlatform()
    ;({ owner, id: tenantId } = await createTenant(platform.admin, 'owned'))
    dataOf(await platform.admin.put('/admin/ai/gateway', { logging: { payloads: 'all' } }))
    dataOf(await owner.put('/tenant/configs/groups/tenant_ai', { ai_keep_payloads: true }))
    const provider = { code: 'demo', name: 'Demo', type: 'demo' }
    const provider_id = textOf(dataOf(await platform.admin.post('/admin/ai/providers', provider), 201)['id'])
    const model = { name: 'echo', kind: 'chat', provider_id, upstream_model: 'demo' }
    dataOf(await platform.admin.post('/admin/ai/models', model), 201)
  })
  after(() => platform[Symbol.asyncDispose]())

  const db = (): Knex => platform.host.kernel.database.knex

  /** A user with a key and a quota. */
  async function hire(by: Api, name: string): Promise<{ readonly id: number; readonly key: string }> {
    const user = { email: `${name}@owned.test`, password: 'a long enough passphrase', roles: ['tenant_user'] }
    const id = Number(dataOf(await by.post('/tenant/users', user), 201)['id'])
    const made = dataOf(await by.post('/admin/ai/api-keys', { name, owner: { user_id: id } }), 201)
    const quota = { name, metric: 'requests', limit: '1000', scope: { user_id: id } }
    dataOf(await by.post('/admin/ai/quotas', quota), 201)
    return { id, key: textOf(made['key']) }
  }

  async function ask(key: string): Promise<number> {
    const answer = await fetch(`${platform.host.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'echo', input: 'the merger is in May' }),
    })
    await answer.text()
    return answer.status
  }

  it('are keys, which open nothing while their user or their tenant is disabled', async () => {
    const shut = await createTenant(platform.admin, 'shut')
    const { id, key } = await hire(shut.owner, 'disabled')
    const own = textOf(dataOf(await shut.owner.post('/admin/ai/api-keys', { name: 'own' }), 201)['key'])
    const user = (status: string) => shut.owner.put(`/tenant/users/${String(id)}`, { status })
    const tenant = (status: string) => platform.admin.put(`/admin/tenants/${String(shut.id)}`, { status })
    const both = async () => [await ask(key), await ask(own)]
    assert.deepEqual(await both(), [200, 200])
    dataOf(await user('disabled'))
    await until(async () => (await ask(key)) === 401)
    assert.deepEqual(await both(), [401, 200])
    dataOf(await user('active'))
    await until(async () => (await ask(key)) === 200)
    dataOf(await tenant('disabled'))
    await until(async () => (await ask(own)) === 401)
    assert.deepEqual(await both(), [401, 401])
    dataOf(await tenant('active'))
    await until(async () => (await ask(own)) === 200)
  })

  it('are words, keys and quotas, which go with their user; what was used stays, and leads to no conversation', async () => {
    const [gone, other] = [await hire(owner, 'gone'), await hire(owner, 'other')]
    const kept = async ({ id }: { readonly id: number }) => {
      const rows = async (table: string, where: object = {}): Promise<number> => {
        const found = db()(table).queryContext(everybody)
        return ((await found.where({ tenant_id: tenantId, user_id: id, ...where })) as readonly unknown[]).length
      }
      return {
        keys: await rows('ai_api_keys'),
        quotas: await rows('ai_quotas', { status: 'active' }),
        responses: await rows('ai_responses'),
        payloads: await rows('ai_request_payloads'),
        used: await rows('ai_usage'),
        led: await rows('ai_usage', { conversation_id: 'cnv_1' }),
        logged: await rows('ai_request_log'),
        told: await rows('ai_request_log', { conversation_id: 'cnv_1' }),
      }
    }
    const all = { keys: 1, quotas: 1, responses: 1, payloads: 1, used: 1, led: 1, logged: 1, told: 1 }
    for (const user of [gone, other]) {
      assert.equal(await ask(user.key), 200)
      await until(async () => {
        const { used, logged, payloads } = await kept(user)
        return used === 1 && logged === 1 && payloads === 1
      })
      for (const table of ['ai_usage', 'ai_request_log']) {
        const own = db()(table).queryContext(everybody).where({ user_id: user.id })
        await own.update({ conversation_id: 'cnv_1' })
      }
      assert.deepEqual(await kept(user), all)
    }
    dataOf(await owner.delete(`/tenant/users/${String(gone.id)}`))
    const left = { ...all, keys: 0, quotas: 0, responses: 0, payloads: 0, led: 0, told: 0 }
    await until(async () => Object.entries(await kept(gone)).every(([name, count]) => count === left[name as 'keys']))
    await until(async () => (await ask(gone.key)) === 401)
    // A call that ends when its user is gone.
    const late = { id: 'req_late', tenant_id: tenantId, user_id: gone.id, at: new Date(), sealed: '' }
    await db()('ai_request_payloads').queryContext(everybody).insert(late)
    for (const table of ['ai_usage', 'ai_request_log']) {
      const own = db()(table).queryContext(everybody).where({ user_id: gone.id })
      await own.update({ conversation_id: 'cnv_1' })
    }
    const job = db()('jobs').queryContext(everybody).where({ kind: 'users.erase', tenant_id: tenantId })
    await job.update({ run_at: new Date(0) })
    await until(async () => Object.entries(await kept(gone)).every(([name, count]) => count === left[name as 'keys']))
    assert.deepEqual(await kept(other), all)
  })

  it('are conversations, which end with their time, and of which a tenant keeps so much', async () => {
    const bounds = new ResponseBounds(db())
    const key = { id: 'key_kept', tenantId, userId: undefined, scopes: [], models: [], agents: [] }
    const row = (id: string, megabytes: number, createdAt: Date, expiresIn = '1 day') => ({
      ...{ id, tenant_id: tenantId, key_id: key.id, messages: '[]', bytes: megabytes * 1_048_576 },
      ...{ created_at: createdAt, expires_at: db().raw('now() + ?::interval', [expiresIn]) },
    })
    const rows = () => db()('ai_responses').queryContext(everybody)
    const ids = async () => (await rows().where({ key_id: key.id }).orderBy('id').pluck<string[]>('id')).join()
    await rows().insert([row('over', 0, new Date(), '-1 minute'), row('lasting', 0, new Date(0))])
    const found = await Promise.all(['over', 'lasting'].map((id) => new ResponseStore(db(), bounds).find(id, key)))
    assert.deepEqual(found, [undefined, []])
    await bounds.sweep()
    await bounds.sweepTenants()
    assert.equal(await ids(), 'lasting')
    await rows().insert([row('large', 700, new Date(1)), row('newest', 400, new Date())])
    await bounds.sweepTenants()
    assert.equal(await ids(), 'newest')
  })

  it('are days of the log of requests, which go whole when they are too old', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    await makePartitions(db(), daysAgo(100).getTime())
    const drop = () => dropPartitions(db(), daysAgo(90))
    // Three days of two tables.
    assert.deepEqual([await drop(), await drop()], [6, 0])
    const { rows } = await db().raw<{ rows: readonly unknown[] }>(
      `select from pg_inherits where inhparent = 'ai_request_log'::regclass`,
    )
    assert.ok(rows.length >= 3, 'those of these days stay')
  })

  it('are mails of alerts, for who is still a user, and so many in an hour', async () => {
    const about = {
      ruleId: null,
      subject: 'none',
      name: 'an alert',
      metric: 'error_rate',
      since: new Date(0),
      value: 1,
    }
    await AlertRow.of(tenantId, db()).insert({ id: 'alt_told', ...about })
    const sent: string[] = []
    let allowed = true
    const parts = {
      db: db(),
      users: { isUsersAddress: (_: number, to: string) => Promise.resolve(to.startsWith('here')) },
      mail: { send: ({ to }: { readonly to: string }) => Promise.resolve(void sent.push(to)) },
      limiter: { hit: () => Promise.resolve({ allowed }) },
    }
    const job = tellJob(parts as unknown as Parameters<typeof tellJob>[0])
    const tell = (to: string) =>
      job.run({ payload: { alert: 'alt_told', turn: 'raised', by: 'email', to } } as Parameters<typeof job.run>[0])
    for (const to of ['left@owned.test', 'here@owned.test']) await tell(to)
    allowed = false
    await tell('here2@owned.test')
    assert.deepEqual(sent, ['here@owned.test'])
  })
})
