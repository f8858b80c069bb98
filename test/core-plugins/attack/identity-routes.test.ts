import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Body } from '../../support/api.ts'
import { configure, issueSession } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What somebody may do who has to do something else first. */
const ways = [
  ...['GET /auth/me', 'GET /tenant/auth/me', 'POST /auth/logout', 'POST /tenant/auth/logout'],
  ...['POST /tenant/auth/password/reset', 'PUT /auth/password'],
]

describe('an attacker with half a right', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let routes: readonly [Method, string][]
  before(async () => {
    platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    acme = await platform.createTenant('acme')
    const { body } = await platform.test.api.get('/openapi.json')
    routes = Object.entries(body['paths'] as unknown as Record<string, Body>).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]): [Method, string][] => {
        const isClosed = (operation['security'] as unknown as unknown[] | undefined)?.length !== 0
        const isTenants = !path.startsWith('/admin')
        return isClosed && isTenants ? [[method.toUpperCase() as Method, path]] : []
      }),
    )
  })
  after(() => platform[Symbol.asyncDispose]())

  /** Routes that answer something else than the refusal, each asked in a session of its own. */
  async function passing(userId: number, isRefused: (body: Body) => boolean): Promise<readonly string[]> {
    const passed: string[] = []
    for (const [method, path] of routes) {
      const api = platform.test.api.as((await issueSession(platform, acme.id, userId)).access)
      const target = path.replace('{key}', 'theme').replace(/\{\w+\}/g, '1')
      const { body } = await api.call(method, target, method === 'GET' ? {} : { body: {} })
      if (!isRefused(body)) passed.push(`${method} ${path}`)
    }
    return passed.sort()
  }

  const wants =
    (cause: string) =>
    ({ code, details }: Body): boolean =>
      (code as unknown) === 4037 && (details?.['cause'] as unknown) === cause

  it('opens nothing but the change of the password before it is changed', async () => {
    assert.ok(routes.length > 40, `only ${routes.length} routes`)
    const { id } = await platform.createUser(acme, 'stale@acme.test', ['tenant_admin'])
    await platform.test.kernel.database
      .knex('users')
      .where({ id })
      .update({ password_change_required: true })
      .queryContext({ tenant: acme.id })
    assert.deepEqual(await passing(id, wants('password_change_required')), ways)
  })

  it('opens nothing but the enrolment of a second factor before it is enrolled', async () => {
    const { id } = await platform.createUser(acme, 'single@acme.test', ['tenant_admin'])
    await configure(acme.owner, 'tenant', 'tenant_security', { mfa_required: true })
    const passed = await passing(id, wants('second_factor_required'))
    assert.deepEqual(passed, [...ways, 'GET /tenant/users/security', 'PATCH /tenant/users/security'].sort())
  })
})
