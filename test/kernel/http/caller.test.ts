import assert from 'node:assert/strict'
import { defineRoute, type Route } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeIdentity, probeRoutes } from '../../support/probe.ts'

function route(path: string, more: Partial<Route>): Route {
  return defineRoute({
    method: 'get',
    path,
    summary: path,
    handler: ({ state: { principal, tenant } }) => ({ user: principal?.userId ?? null, tenant: tenant?.code ?? null }),
    ...more,
  })
}

const routes = [
  route('/none', { auth: 'none' }),
  route('/optional', { auth: 'optional', tenant: 'optional' }),
  route('/user', {}),
  route('/platform', { auth: 'platform' }),
  route('/tenant', { auth: 'tenant' }),
  route('/reader', { auth: 'tenant', permission: 'note:read' }),
  route('/either', { permission: { platform: 'note:write', tenant: 'note:read' } }),
  route('/host', { auth: 'none', tenant: 'required' }),
  route('/host-optional', { auth: 'none', tenant: 'optional' }),
]
const cookie = 'Bearer realm="api"'

describe('who may call', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes), probeIdentity] })
  })
  after(() => host[Symbol.asyncDispose]())

  async function ask(path: string, token?: string, name?: string): Promise<unknown> {
    const { status, body } = await host.request('GET', path, { token, ...(name !== undefined && { host: name }) })
    return status === 200 ? body['data'] : `${status}/${JSON.stringify(body['code'])}`
  }

  it('is anybody on an open route, whatever token comes with it', async () => {
    assert.deepEqual(
      [await ask('/none'), await ask('/none', 'bad')],
      [
        { user: null, tenant: null },
        { user: null, tenant: null },
      ],
    )
  })

  it('is anybody without a token on an optional route, and a bad token is refused', async () => {
    assert.deepEqual(
      [await ask('/optional'), await ask('/optional', 'tenant:1:7'), await ask('/optional', 'bad')],
      [{ user: null, tenant: null }, { user: 7, tenant: 'acme' }, '401/4013'],
    )
    const { status } = await host.request('GET', '/optional', { headers: { authorization: 'Basic YTpi' } })
    assert.equal(status, 401)
  })

  it('is somebody signed in unless the route says otherwise', async () => {
    assert.deepEqual(
      [
        await ask('/user'),
        await ask('/user', 'unknown'),
        await ask('/user', 'platform:0:1'),
        await ask('/user', 'tenant:3:7'),
      ],
      ['401/4010', '401/4010', { user: 1, tenant: null }, { user: 7, tenant: 'blue' }],
    )
  })

  it('is of the scope that the route is for', async () => {
    assert.deepEqual(
      [await ask('/platform', 'tenant:1:7'), await ask('/tenant', 'platform:0:1')],
      ['403/4033', '403/4033'],
    )
  })

  it('is of a tenant that is active and exists', async () => {
    assert.deepEqual([await ask('/user', 'tenant:2:7'), await ask('/user', 'tenant:99:7')], ['403/4035', '403/4035'])
  })

  it('holds the permission, by name or by wildcard', async () => {
    const tokens = [
      'tenant:1:7',
      'tenant:1:7:note:write',
      'tenant:1:7:note:read',
      'tenant:1:7:note:*',
      'tenant:1:7:*:*',
    ]
    const allowed = { user: 7, tenant: 'acme' }
    assert.deepEqual(await Promise.all(tokens.map((token) => ask('/reader', token))), [
      '403/4031',
      '403/4031',
      allowed,
      allowed,
      allowed,
    ])
  })

  it('holds the permission of its own scope where they differ', async () => {
    assert.deepEqual(
      [await ask('/either', 'platform:0:1:note:read'), await ask('/either', 'platform:0:1:note:write')],
      ['403/4031', { user: 1, tenant: null }],
    )
  })

  it('is told which permission is missing', async () => {
    const { headers, body } = await host.request('GET', '/reader', { token: 'tenant:1:7' })
    assert.deepEqual(
      [headers['www-authenticate'], { ...body, trace_id: '' }],
      [
        `${cookie}, error="insufficient_scope", scope="note:read"`,
        {
          code: 4031,
          message: 'The permission note:read is needed',
          trace_id: '',
          reason: 'permission_denied',
          details: { permission: 'note:read' },
        },
      ],
    )
  })

  it('is challenged, and told when it was the token that is bad', async () => {
    const missing = await host.request('GET', '/user')
    const bad = await host.request('GET', '/user', { token: 'bad' })
    const other = await host.request('GET', '/user', { headers: { authorization: 'Basic dTpw' } })
    assert.deepEqual(
      [missing, bad, other].map(({ status, headers }) => [status, headers['www-authenticate']]),
      [
        [401, cookie],
        [401, `${cookie}, error="invalid_token"`],
        [401, cookie],
      ],
    )
  })

  it('may send its token as X-API-Key', async () => {
    const { status } = await host.request('GET', '/user', { headers: { 'x-api-key': 'tenant:1:7' } })
    assert.equal(status, 200)
  })

  it('finds the tenant of an open route by the host', async () => {
    const names = ['acme.test', 'ACME.test:8080', 'acme.test.', 'nobody.test', 'gone.test']
    assert.deepEqual(await Promise.all(names.map((name) => ask('/host', undefined, name))), [
      { user: null, tenant: 'acme' },
      { user: null, tenant: 'acme' },
      { user: null, tenant: 'acme' },
      '404/4041',
      '403/4035',
    ])
    assert.deepEqual(await ask('/host-optional', undefined, 'nobody.test'), { user: null, tenant: null })
  })

  it('does not take a forwarded host from a peer that is no trusted proxy', async () => {
    const { status } = await host.request('GET', '/host', { headers: { 'x-forwarded-host': 'acme.test' } })
    assert.equal(status, 404)
  })
})
