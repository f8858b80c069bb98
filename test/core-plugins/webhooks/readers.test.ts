import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { deliverJobs } from '../../../core-plugins/webhooks/deliveries/deliver.ts'
import { limits } from '../../../core-plugins/webhooks/limits.ts'
import type { Body } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { HookWorld } from './world.ts'

describe('web hooks and the rights of people', () => {
  let world: HookWorld
  before(async () => {
    world = await HookWorld.start()
  })
  after(() => world[Symbol.asyncDispose]())

  const rowsOf = (table: string) => runningKernel(world.platform).database.knex(table).queryContext({ tenant: 'all' })
  const changed = { group: 'tenant_security', keys: ['session_timeout'] }
  /** Somebody of `acme` with a role that holds these and the way into the back office. */
  const withRole = async (code: string, ...permissions: readonly string[]) => {
    const role = { code, name: code, permissions: ['console_tenant:enter', ...permissions] }
    dataOf(await world.acme.owner.post('/tenant/roles', role), 201)
    return world.platform.createUser(world.acme, `${code}@acme.test`, [code])
  }

  it('get what their maker may see at the moment: a role taken away, and a maker who is gone, end it', async () => {
    const { api, id: userId } = await world.platform.createUser(world.acme, 'clerk@acme.test', ['tenant_admin'])
    const path = world.fresh()
    const { id } = await world.add(api, '/tenant/webhooks', path)
    dataOf(await world.acme.owner.put(`/tenant/users/${userId}`, { roles: ['tenant_user'] }))
    await world.cause()
    const where = `/tenant/webhooks/${id}`
    assert.deepEqual(await world.deliveries(world.acme.owner, where), [])
    dataOf(await world.acme.owner.put(`/tenant/users/${userId}`, { roles: ['tenant_admin'] }))
    await world.cause()
    await world.receiver.wait(path)
    dataOf(await world.acme.owner.delete(`/tenant/users/${userId}`))
    await until(async () => (await world.shownAt(where))['paused_for'] === 'no_reader')
    dataOf(await world.acme.owner.post(`${where}/resume`))
    await world.cause()
    await world.receiver.wait(path, 2)
    assert.equal(world.receiver.at(path).length, 2)
  })

  it('get nothing once their maker is shut out', async () => {
    const { api, id: userId } = await world.platform.createUser(world.acme, 'out@acme.test', ['tenant_admin'])
    const path = world.fresh()
    const { id } = await world.add(api, '/tenant/webhooks', path)
    dataOf(await world.acme.owner.put(`/tenant/users/${userId}`, { status: 'disabled' }))
    await world.cause()
    const where = `/tenant/webhooks/${id}`
    await until(async () => (await world.deliveries(world.acme.owner, where, '?state=waiting')).length === 0)
    const told = (await world.deliveries(world.acme.owner, where)).map(({ state }) => state)
    assert.deepEqual(
      [told, (await world.shownAt(where))['paused_for'], world.receiver.at(path)],
      [['skipped'], 'no_reader', []],
    )
  })

  it('get what those may see who change them: nobody leads what others see to a place of their own', async () => {
    const { id } = await world.add(world.acme.owner, '/tenant/webhooks', world.fresh())
    const { api, id: userId } = await withRole('editor', 'tenant_webhook:list', 'tenant_webhook:update')
    const [path, where] = [world.fresh(), `/tenant/webhooks/${id}`]
    assert.equal(dataOf(await api.put(where, { url: world.receiver.url(path) }))['seen_by'], userId)
    await world.cause()
    assert.deepEqual([await world.deliveries(api, where), world.receiver.at(path)], [[], []])
  })

  it('of a tenant that is closed get nothing of what is told to all', async () => {
    const closed = await world.platform.createTenant('closed')
    const [path, other] = [world.fresh(), world.fresh()]
    const wish = { events: ['announcement.*'] }
    const { id } = await world.add(closed.owner, '/tenant/webhooks', path, wish)
    await world.add(world.acme.owner, '/tenant/webhooks', other, wish)
    dataOf(await world.platform.admin.put(`/admin/tenants/${closed.id}`, { status: 'disabled' }))
    dataOf(await world.platform.admin.post('/admin/announcements', { title: { default: 'News' } }), 201)
    await world.receiver.wait(other)
    const rows: unknown = await rowsOf('webhook_deliveries').where({ webhook_id: id })
    assert.deepEqual([rows, world.receiver.at(path)], [[], []])
  })

  it('show what they said to those who may see the event', async () => {
    const { owner } = world.acme
    const { api } = await withRole('watcher', 'tenant_webhook:list')
    const { id } = await world.add(owner, '/tenant/webhooks', world.fresh())
    await world.cause()
    const where = `/tenant/webhooks/${id}`
    const [delivery] = await world.deliveries(api, where)
    const one = `${where}/deliveries/${delivery?.['id'] as unknown as string}`
    assert.deepEqual([dataOf(await api.get(one))['data'], dataOf(await owner.get(one))['data']], [null, changed])
  })

  it('of users are there for them alone, and go with them', async () => {
    const { owner } = world.acme
    const { api, id: userId } = await world.platform.createUser(world.acme, 'own@acme.test', ['tenant_user'])
    const hook = { name: 'Mine', url: world.receiver.url(world.fresh()) }
    const id = dataOf(await api.post('/notifications/webhooks', hook), 201)['id'] as unknown as string
    const listed = dataOf(await owner.get('/tenant/webhooks?page_size=100'))['items'] as unknown as readonly Body[]
    const gone = { status: 404, code: 4040, reason: 'webhook_not_found' }
    assert.deepEqual(
      [
        listed.some((one) => one['id'] === (id as unknown)),
        refusalOf(await owner.get(`/tenant/webhooks/${id}`)),
        refusalOf(await owner.put(`/tenant/webhooks/${id}`, { url: world.receiver.url(world.fresh()) })),
        refusalOf(await owner.get(`/notifications/webhooks/${id}`)),
        (await api.get(`/notifications/webhooks/${id}`)).status,
      ],
      [false, gone, gone, gone, 200],
    )
    dataOf(await owner.delete(`/tenant/users/${userId}`))
    const left = async (): Promise<readonly unknown[]> => [
      ...((await rowsOf('webhooks').where({ id })) as unknown[]),
      ...((await rowsOf('webhook_secrets').where({ webhook_id: id })) as unknown[]),
    ]
    await until(async () => (await left()).length === 0)
  })

  it('have no end of a delivery written down by a host that lost it', async () => {
    const { id: webhookId } = await world.add(world.acme.owner, '/tenant/webhooks', world.fresh())
    const [id, tenantId] = [randomUUID(), world.acme.id]
    const row = { id, tenant_id: tenantId, webhook_id: webhookId, event: 'config.updated', data: changed }
    await rowsOf('webhook_deliveries').insert({ ...row, occurred_at: new Date(), state: 'waiting' })
    const attempt = { at: new Date().toISOString(), status: 204, error: null, duration_ms: 1 }
    const kind = deliverJobs({
      ...{ db: runningKernel(world.platform).database.knex, limits, jobs: {} as never },
      readers: { mayHear: () => Promise.resolve('yes') } as never,
      sender: { send: () => Promise.resolve({ attempt, isTaken: true, retryAfterMs: 0 }) } as never,
    })
    const hold = () => Promise.reject(new Error('Another host has it'))
    await assert.rejects(async () => kind.run({ tenantId, payload: { id }, hold } as never), /Another host has it/)
    const kept: unknown = await rowsOf('webhook_deliveries').where({ id }).select('state', 'attempts', 'tries')
    assert.deepEqual(kept, [{ state: 'waiting', attempts: [], tries: 0 }])
  })
})
