import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const id = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false }

function packCrm(): Promise<Buffer> {
  return packSmall(
    'acme.crm',
    {
      capabilities: ['services:provide', 'db:own_tables'],
      reasons: { 'services:provide': 'Others look up contacts.', 'db:own_tables': 'Keeps contacts.' },
      db: { tables: ['contacts'], migrations: 'migrations/' },
      provides: {
        services: [
          {
            ...{ name: 'contacts', version: '1.2.0' },
            methods: [
              { name: 'find', handler: 'find', input: id, output: { type: 'object', required: ['name'] } },
              { name: 'wrong', handler: 'wrong', input: id, output: { type: 'object', required: ['name'] } },
              { name: 'loop', handler: 'loop', input: { type: 'object' } },
              { name: 'broken', handler: 'broken', input: { type: 'object' } },
            ],
          },
        ],
      },
      tenant_routes: [{ method: 'POST', path: '/contacts', handler: 'add' }],
    },
    `{
      handlers: { add: ({ body }, ctx, db) => db.table('contacts').insert(body) },
      services: {
        async find({ input, from }, ctx, db) {
          const contact = await db.table('contacts').where(input).first()
          if (!contact) throw Object.assign(new Error('There is no such contact'), { name: 'PluginError', code: 'not_found', details: { reason: 'no_contact' } })
          return { name: contact.name, from, tenant: ctx.tenant.code, user: ctx.user, can: ctx.can('jobs') }
        },
        wrong: () => ({ nothing: 1 }),
        async broken() { throw new Error('a secret of ours') },
        loop: () => { for (;;); },
      },
    }`,
    { 'migrations/0001_init.up.sql': 'create table contacts (id bigserial primary key, name text not null);' },
  )
}

function packShop(name: string, uses: Record<string, string>): Promise<Buffer> {
  return packSmall(
    name,
    {
      capabilities: ['services:use'],
      reasons: { 'services:use': 'Shows who bought.' },
      uses,
      tenant_routes: [{ method: 'POST', path: '/call', handler: 'call' }],
    },
    `{ handlers: { async call({ body: { service, method, input } }, ctx) {
      return ctx.services.call(service, method, input).then((value) => ({ value }), ({ code, details, message }) => ({ code, reason: details && details.reason, message }))
    } } }`,
  )
}

describe('services between plugins', () => {
  let platform: Platform
  let one: Api
  let two: Api

  before(async () => {
    platform = await startPlatform()
    const { admin } = platform
    const tenants = [await createTenant(admin, 'one'), await createTenant(admin, 'two')]
    await installAndEnable(admin, await packCrm())
    await installAndEnable(admin, await packShop('acme.shop', { 'acme.crm/contacts': '^1.0.0' }))
    await installAndEnable(admin, await packShop('acme.newer', { 'acme.crm/contacts': '^2.0.0' }))
    ;[one, two] = tenants.map(({ owner }) => owner) as [Api, Api]
    for (const name of ['acme.crm', 'acme.shop', 'acme.newer']) {
      const assigned = name === 'acme.crm' ? tenants.slice(0, 1) : tenants
      dataOf(await admin.post(`/plugins/${name}/tenants`, { tenant_ids: assigned.map((tenant) => tenant.id) }))
      for (const { owner } of assigned) dataOf(await owner.post(`/tenant/plugins/${name}/enable`))
    }
    dataOf(await one.post('/tenant/plugins/acme.crm/api/contacts', { name: 'Ann' }))
  })
  after(() => platform[Symbol.asyncDispose]())

  const call = async (
    method: string,
    input: unknown,
    { as = one, plugin = 'acme.shop', service = 'acme.crm/contacts' } = {},
  ) =>
    dataOf(await as.post(`/tenant/plugins/${plugin}/api/call`, { service, method, input })) as Record<string, unknown>

  it('answer in the tenant that asks, with the rights of the plugin that answers and without a user', async () => {
    const value = { name: 'Ann', from: 'acme.shop', tenant: 'one', user: null, can: false }
    assert.deepEqual(await call('find', { id: 1 }), { value })
  })

  it('say what the other plugin says, and nothing of how it fails', async () => {
    const { code, reason, message } = await call('find', { id: 7 })
    assert.deepEqual([code, message], ['not_found', 'There is no such contact'])
    assert.match(String(reason), /no_contact/)
    const broken = await call('broken', {})
    assert.deepEqual([broken['code'], broken['reason']], ['upstream', 'plugin_service_failed'])
    assert.equal(JSON.stringify(broken).includes('secret'), false)
  })

  it('are held to their schemas on both sides', async () => {
    assert.equal((await call('find', { id: 'x' }))['code'], 'invalid')
    assert.equal((await call('find', { id: 1, more: true }))['code'], 'invalid')
    assert.equal((await call('wrong', { id: 1 }))['code'], 'upstream')
  })

  it('are not there for a tenant without the plugin, for another version, and for names that are none', async () => {
    const absent = { code: 'unavailable', reason: 'service_unavailable' }
    const short = async (...asked: Parameters<typeof call>) => {
      const { code, reason } = await call(...asked)
      return { code, reason }
    }
    assert.deepEqual(await short('find', { id: 1 }, { as: two }), absent)
    assert.deepEqual(await short('find', { id: 1 }, { plugin: 'acme.newer' }), absent)
    for (const method of ['nothing', 'constructor', '__proto__', 'add'])
      assert.deepEqual(await short(method, { id: 1 }), absent, method)
    for (const service of ['acme.crm/other', 'acme.shop/contacts', 'constructor', 'kernel/users'])
      assert.deepEqual(
        await short('find', {}, { service }),
        { code: 'forbidden', reason: 'service_not_granted' },
        service,
      )
  })

  it('that loop cost the plugin that loops', async () => {
    const { code } = await call('loop', {})
    assert.equal(code, 'upstream')
    assert.deepEqual((await call('find', { id: 1 }))['value'] !== undefined, true)
  })

  it('are asked for when the plugin is installed', async () => {
    const grants = JSON.stringify(dataOf(await platform.admin.get('/plugins/acme.shop')))
    assert.match(grants, /services:use/)
    assert.match(grants, /acme\.crm\/contacts/)
  })
})
