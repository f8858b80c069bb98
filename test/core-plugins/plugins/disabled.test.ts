import assert from 'node:assert/strict'
import type { Api, Answer } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const paths = [
  '/tenant/plugins/acme.here/api/hi',
  '/admin/plugins/acme.here/api/hi',
  '/tenant/plugins/acme.here/api/no',
]
const unknown = { status: 404, code: 4044, reason: 'route_not_found' }
const wrongSide = { status: 403, code: 4033, reason: 'scope_mismatch' }
const disabled = { status: 404, code: 4044, reason: 'plugin_is_disabled' }

describe('a plugin that is not enabled', () => {
  it('is called so to those who may list plugins, and is nothing to everybody else', async () => {
    await using platform = await startPlatform()
    const { admin, host } = platform
    const routes = [{ method: 'GET', path: '/hi', handler: 'hi' }]
    const definition = '{ handlers: { hi: () => ({ hi: true }) } }'
    await installAndEnable(
      admin,
      await packSmall('acme.here', { tenant_routes: routes, admin_routes: routes }, definition),
    )
    const [one, two] = [await createTenant(admin, 'one'), await createTenant(admin, 'two')]
    dataOf(await admin.post('/plugins/acme.here/tenants', { tenant_ids: [one.id] }))
    const member = await createUser(one.owner, 'one', ['tenant_user:list'])
    const [mine = '', all = '', other = ''] = paths
    const told = async (by: Api, path: string) => [refusalOf(await by.get(path)), (await by.get(path)).body['details']]

    assert.deepEqual(await told(one.owner, mine), [disabled, { by: 'tenant' }])
    assert.deepEqual(await told(member, mine), [unknown, undefined])
    assert.deepEqual(await told(two.owner, mine), [unknown, undefined])

    dataOf(await one.owner.post('/tenant/plugins/acme.here/enable'))
    assert.equal((await one.owner.get(mine)).status, 200)
    dataOf(await admin.post('/plugins/acme.here/disable'))
    assert.deepEqual(await told(one.owner, mine), [disabled, { by: 'platform' }])
    assert.deepEqual(await told(one.owner, other), [disabled, { by: 'platform' }])
    assert.deepEqual(await told(admin, all), [disabled, { by: 'platform' }])
    const chinese = await admin.get(all, { headers: { 'accept-language': 'zh-CN' } })
    assert.equal(chinese.body['message'], '插件未启用')

    // Strangers see of it exactly what they see of a plugin that there never was.
    const strangers = [host.api, host.api.as('no-token'), admin.as('a.b.c')]
    for (const by of [member, two.owner, ...strangers]) {
      for (const path of paths) {
        const [asked, made] = [await by.get(path), await by.get(path.replace('acme.here', 'acme.none'))]
        assert.deepEqual(shownOf(asked), shownOf(made), path)
        const inside = path.startsWith('/admin/') ? wrongSide : unknown
        if (strangers.includes(by)) assert.equal(asked.status, 401, path)
        else assert.deepEqual(refusalOf(asked), inside, path)
      }
    }
    assert.deepEqual(await told(admin, all.replace('acme.here', 'acme.none')), [unknown, undefined])
  })
})

describe('the description of the interface', () => {
  it('names plugins that were installed to those for whom they are there', async () => {
    await using platform = await startPlatform()
    const { admin, host } = platform
    const routes = [{ method: 'GET', path: '/hi', handler: 'hi' }]
    const publicRoutes = routes.map((route) => ({ ...route, auth: 'none', rate: { perIpPerMinute: 60 } }))
    const areas = { tenant_routes: routes, admin_routes: routes, public_routes: publicRoutes }
    await installAndEnable(admin, await packSmall('acme.listed', areas, '{ handlers: { hi: () => ({ hi: true }) } }'))
    const [one, two] = [await createTenant(admin, 'one'), await createTenant(admin, 'two')]
    dataOf(await admin.post('/plugins/acme.listed/tenants', { tenant_ids: [one.id] }))
    dataOf(await one.owner.post('/tenant/plugins/acme.listed/enable'))
    const shown = async (by: Api) => {
      const { status, body } = await by.get('/openapi.json')
      const named = Object.keys(body['paths'] ?? {}).filter((path) => path.includes('acme.listed'))
      return [status, named.map((path) => path.split('/')[1]), JSON.stringify(body).includes('acme.listed')]
    }
    assert.deepEqual(await shown(host.api), [200, [], false])
    assert.deepEqual(await shown(admin), [200, ['admin', 'api', 'tenant'], true])
    assert.deepEqual(await shown(one.owner), [200, ['api', 'tenant'], true])
    assert.deepEqual(await shown(two.owner), [200, [], false])
    const [open, own] = [await host.api.get('/openapi.json'), await admin.get('/openapi.json')]
    assert.deepEqual(
      [open, own].map(({ headers }) => [headers['cache-control'], headers['vary']]),
      [
        ['no-cache', 'Authorization, X-API-Key'],
        ['private, no-cache', 'Authorization, X-API-Key'],
      ],
    )
    const known = { headers: { 'if-none-match': String(own.headers['etag']) } }
    assert.deepEqual(
      [(await admin.get('/openapi.json', known)).status, (await host.api.get('/openapi.json', known)).status],
      [304, 200],
    )
    dataOf(await one.owner.post('/tenant/plugins/acme.listed/disable'))
    assert.deepEqual(await shown(one.owner), [200, [], false])
  })
})

/** Everything of an answer but what is new each time. */
function shownOf({ status, headers, body }: Answer): unknown {
  const shown = { ...headers, 'x-trace-id': undefined, date: undefined }
  return { status, shown, body: { ...body, trace_id: undefined } }
}
