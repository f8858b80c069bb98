import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { packFixture } from '../../support/packages.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { disableWithUsers, enableAgain } from '../../support/with-users.ts'

const plugin = '/admin/plugins/acme.guestbook'
const mine = '/tenant/plugins/acme.guestbook'

describe('small plugins', () => {
  let platform: Platform
  let admin: Api
  let one: { owner: Api; id: number }

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    one = await createTenant(admin, 'one')
    const route = { method: 'GET', path: '/ping', handler: 'ping' }
    const small = await packSmall(
      'acme.ping',
      { tenant_routes: [route] },
      '{ handlers: { ping: () => ({ pong: true }) } }',
    )
    // It asks for nothing: nobody has to consent.
    assert.equal((await installAndEnable(admin, small))['status'], 'enabled')
    dataOf(await admin.post('/plugins/acme.ping/tenants', { tenant_ids: [one.id] }))
    dataOf(await one.owner.post('/tenant/plugins/acme.ping/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  it('that ask for nothing run without consent', async () => {
    assert.deepEqual(dataOf(await one.owner.get('/tenant/plugins/acme.ping/api/ping')), { pong: true })
  })

  it('hooks run with its grants, and one that fails keeps it from being enabled', async () => {
    const hooks = { enable: 'onEnable' }
    const definition = '{ handlers: {}, hooks: { onEnable() { throw new Error("not today") } } }'
    const zipped = await packSmall('acme.hooked', { hooks }, definition)
    dataOf(await upload(admin, zipped), 201)
    const refused = await admin.post('/plugins/acme.hooked/enable')
    assert.deepEqual(refusalOf(refused), { status: 500, code: 5008, reason: 'plugin_broken' })
    assert.equal(dataOf(await admin.get('/plugins/acme.hooked'))['status'], 'installed')
  })

  it('a quarantined one answers 503 with the cause until an administrator enables it again', async () => {
    const { knex } = platform.host.kernel.database
    await knex.transaction(async (trx) => {
      const next = trx('plugin_desired_state').update({ generation: trx.raw('generation + 1') }, ['generation'])
      const [row] = (await next) as { generation: string }[]
      await trx('plugins').where({ name: 'acme.ping' }).update({ status: 'quarantined', generation: row?.generation })
    })
    const ping = () => one.owner.get('/tenant/plugins/acme.ping/api/ping')
    await until(async () => (await ping()).status === 503)
    const paused = await ping()
    assert.deepEqual(refusalOf(paused), { status: 503, code: 5035, reason: 'plugin_not_running' })
    assert.deepEqual(paused.body['details'], { cause: 'quarantined' })
    assert.ok(Number(paused.headers['retry-after']) > 0)
    dataOf(await admin.post('/plugins/acme.ping/enable'))
    assert.deepEqual(dataOf(await ping()), { pong: true })
  })

  it('they end with the core plugin that runs them, and come back with it', async () => {
    const { kernel } = platform.host
    const before = kernel.registered()
    const disabled = await disableWithUsers(kernel, 'plugins')
    const without = kernel.registered()
    assert.deepEqual(
      without.plugins.filter((name) => name.includes('.')),
      [],
    )
    assert.deepEqual(
      without.permissions.filter((name) => name.includes('plugin')),
      [],
    )
    await enableAgain(kernel, disabled)
    assert.deepEqual(kernel.registered(), before)
    assert.deepEqual(dataOf(await one.owner.get('/tenant/plugins/acme.ping/api/ping')), { pong: true })
  })

  it('the whole way needs no more than one connection to the database', async () => {
    await using narrow = await startPlatform({ poolSize: 1 })
    const tenant = await createTenant(narrow.admin, 'narrow')
    await installAndEnable(narrow.admin, await packFixture('guestbook'))
    dataOf(await narrow.admin.post(`${plugin}/tenants`, { tenant_ids: [tenant.id] }))
    dataOf(await tenant.owner.post(`${mine}/enable`))
    dataOf(await tenant.owner.post(`${mine}/api/entries`, { author: 'Ann', message: 'Hello' }), 201)
    dataOf(await narrow.admin.delete(plugin))
  })
})
