import assert from 'node:assert/strict'
import system from '../../../core-plugins/system/index.ts'
import type { Api } from '../../support/api.ts'
import { configure } from '../../support/auth.ts'
import {
  identityPlugins,
  startTestPlatform,
  testPassword,
  type TestPlatform,
  type TestTenant,
} from '../../support/identity.ts'

interface Operation {
  readonly tags: readonly string[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

const areas = ['auth', 'users', 'access', 'tenants', 'preferences', 'mail']
const write = ['post', 'put', 'patch'] as const

// What these bodies hold are values by key: one that nobody knows is a fault of its key.
const byKey = /preferences(\/global)?$/

// What a path needs to get as far as looking for its object.
const wanted: Readonly<Record<string, object>> = {
  '/tenant/users/{user_id}': { nickname: 'x' },
  '/admin/users/{user_id}': { nickname: 'x' },
  '/tenant/users/{user_id}/approve': { approved: true },
  '/tenant/roles/{role_id}': { name: 'x' },
  '/admin/roles/{role_id}': { name: 'x' },
  '/tenant/orgs/{org_id}': { name: 'x' },
  '/tenant/orgs/{org_id}/move': { parent_id: null },
  '/tenant/orgs/{org_id}/members': { user_ids: [1] },
  '/tenant/orgs/{org_id}/roles': { roles: [] },
  '/admin/tenants/{tenant_id}': { name: 'x' },
  '/admin/menus/{name}': { hidden: true },
}

describe('the bodies of requests about who calls', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let routes: readonly (readonly [(typeof write)[number], string, Operation])[]
  let calls = 0
  before(async () => {
    platform = await startTestPlatform({ plugins: [...identityPlugins, system] })
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
    acme = await platform.createTenant('acme')
    const { paths } = (await platform.test.api.get('/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, Operation>>
    }
    routes = Object.entries(paths).flatMap(([path, methods]) => {
      const found = write.map((method) => [method, path, methods[method]] as const)
      return found.filter((route): route is [(typeof write)[number], string, Operation] => {
        return route[2]?.tags.some((tag) => areas.includes(tag)) ?? false
      })
    })
  })
  after(() => platform[Symbol.asyncDispose]())

  const callerOf = (path: string): Api => (path.startsWith('/admin') ? platform.admin : acme.owner)
  const send = (method: (typeof write)[number], path: string, body: unknown, type = 'application/json') => {
    calls += 1
    // No limit by address is what this is about.
    const headers = { 'x-forwarded-for': `10.3.${calls >> 8}.${calls & 255}`, 'content-type': type }
    const target = path.replace(/\{session_id\}/, crypto.randomUUID()).replace(/\{\w+\}/g, '1')
    return callerOf(path).call(method.toUpperCase(), target, { body, headers })
  }
  const takesJson = ([, , { requestBody }]: (typeof routes)[number]): boolean =>
    requestBody?.content['application/json'] !== undefined

  it('hold no member that nobody knows, at any path', async () => {
    const tried = routes.filter(takesJson).filter(([, path]) => !byKey.test(path))
    assert.ok(tried.length > 50, `${tried.length} paths`)
    for (const [method, path] of tried) {
      const { status, body } = await send(method, path, { nobody_knows: 1 })
      const errors = body['errors'] as unknown as { field: string; rule: string }[] | undefined
      const fault = errors?.find(({ field }) => field === 'nobody_knows')
      assert.deepEqual([status, body['code'], fault?.rule], [422, 4220, 'unknown_field'], `${method} ${path}`)
    }
  })

  it('that are values by key are refused with the key', async () => {
    for (const [method, path] of routes.filter(([, target]) => byKey.test(target))) {
      const { status, body } = await send(method, path, { nobody_knows: 1 })
      const [fault] = body['errors'] as unknown as { field: string }[]
      assert.deepEqual([status, body['code'], fault?.field], [422, 4222, 'nobody_knows'], `${method} ${path}`)
    }
  })

  it('are JSON that can be read, or a form where a form is taken', async () => {
    for (const [method, path, { requestBody }] of routes.filter(takesJson)) {
      const broken = await send(method, path, '{"a":')
      assert.deepEqual([broken.status, broken.body['code']], [400, 4001], `${method} ${path}`)
      const list = await send(method, path, '[]')
      assert.deepEqual([list.status, list.body['code']], [422, 4220], `${method} ${path}`)
      if (requestBody?.content['application/x-www-form-urlencoded']) continue
      const form = await send(method, path, 'a=b', 'application/x-www-form-urlencoded')
      assert.deepEqual([form.status, form.body['code']], [415, 4150], `${method} ${path}`)
    }
  })

  it('are told which member a password that is refused was in', async () => {
    const weak = 'password1'
    const owner = { email: 'a@b.test', password: weak }
    const answers = [
      await send('post', '/admin/tenants', { code: 'weak', name: 'Weak', owner }),
      await send('post', '/tenant/users', { email: 'weak@acme.test', roles: [], password: weak }),
      await send('put', '/auth/password', { old_password: testPassword, new_password: weak }),
    ]
    assert.deepEqual(
      answers.map(({ body }) => [body['code'], (body['errors'] as unknown as { field: string }[])[0]?.field]),
      [
        [4223, 'owner.password'],
        [4223, 'password'],
        [4223, 'new_password'],
      ],
    )
  })

  it('are of objects that are there: an id that nothing has is 404 at every path', async () => {
    const named = routes.filter(([, path]) => path.includes('{'))
    assert.ok(named.length >= 14, `${named.length} paths`)
    for (const [method, path] of named) {
      const { status, body } = await send(method, path.replace(/\{\w+\}/, '2147483647'), wanted[path] ?? {})
      assert.deepEqual([status, body['code']], [404, 4040], `${method} ${path}`)
    }
  })
})
