import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const origin = 'https://console.example.com'
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const names = ['acme.runs', 'acme.off', 'acme.nobody']
const notThere = { status: 404, code: 4044, reason: 'route_not_found' }

describe('whether a plugin runs', () => {
  let platform: Platform
  let owner: Api
  before(async () => {
    platform = await startPlatform({ env: { PUBLIC_URL: origin } })
    const { admin } = platform
    const route = { method: 'GET', path: '/hi', handler: 'hi' }
    const routes = { admin_routes: [route], tenant_routes: [route], public_routes: [{ ...route, auth: 'none' }] }
    for (const name of ['acme.runs', 'acme.off']) {
      await installAndEnable(admin, await packSmall(name, routes, '{ handlers: { hi: () => 1 } }'))
    }
    const tenant = await createTenant(admin, 'one')
    owner = tenant.owner
    dataOf(await admin.post('/plugins/acme.runs/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await owner.post('/tenant/plugins/acme.runs/enable'))
    dataOf(await admin.post('/plugins/acme.off/disable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  /** What tells one answer from another. */
  async function look(api: Api, method: (typeof methods)[number], path: string, headers: Record<string, string> = {}) {
    const { status, headers: answered, body } = await api.call(method, path, { headers })
    const said = typeof body === 'object' ? { ...body, trace_id: undefined } : body
    const kept = Object.entries(answered).filter(([name]) => !/^(date|x-trace-id|traceparent|ratelimit)/.test(name))
    return { status, said, headers: Object.fromEntries(kept.sort()) }
  }

  it('is not told to strangers, nor to those from the other side, by path or by method', async () => {
    const { api } = platform.host
    const preflight = { origin, 'access-control-request-method': 'GET' }
    const askers = [
      { asker: api, side: 'admin', status: 401 },
      { asker: api, side: 'tenant', status: 401 },
      { asker: api.as('nonsense'), side: 'tenant', status: 401 },
      { asker: owner, side: 'admin', status: 403 },
      { asker: platform.admin, side: 'tenant', status: 403 },
    ]
    for (const { asker, side, status } of askers) {
      for (const method of methods) {
        for (const path of ['/hi', '/other', '']) {
          const [first, ...others] = await Promise.all(
            names.map((name) => look(asker, method, `/${side}/plugins/${name}/api${path}`, preflight)),
          )
          assert.equal(first?.status, method === 'OPTIONS' ? 204 : status, `${method} ${side} ${path}`)
          for (const other of others) assert.deepEqual(other, first, `${method} ${side} ${path}`)
        }
      }
    }
  })

  it('is seen by those who may call it, and on its public routes', async () => {
    const { admin } = platform
    const mine = '/tenant/plugins/acme.runs/api'
    assert.equal(dataOf(await owner.get(`${mine}/hi`)), 1)
    assert.equal(dataOf(await admin.get('/admin/plugins/acme.runs/api/hi')), 1)
    const { status, headers } = await owner.delete(`${mine}/hi`)
    assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, OPTIONS'])
    assert.deepEqual(refusalOf(await owner.get(`${mine}/other`)), notThere)
    const nobody = '/tenant/plugins/acme.nobody/api/hi'
    assert.deepEqual(refusalOf(await owner.get(nobody)), notThere)
    const open = (name: string) =>
      platform.host.api.get(`/api/public/plugins/${name}/api/hi`, { host: 'one.localhost' })
    assert.equal(dataOf(await open('acme.runs')), 1)
    assert.deepEqual(refusalOf(await open('acme.nobody')), notThere)
    assert.equal((await open('acme.off')).status, 404)
  })
})
