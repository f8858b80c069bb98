import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'
import { adminRoutes } from './routes/admin.ts'
import { aiRoutes } from './routes/ai.ts'
import { bounds } from './routes/bounds.ts'
import { otherRoutes } from './routes/others.ts'
import { tenantRoutes } from './routes/tenant.ts'

interface Operation {
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly 'x-permission'?: string | { readonly platform: string; readonly tenant: string }
}

/**
 * What a route asks for, as the tables say it: a permission, of a route for both scopes the platform's and the tenants', `signed-in` where
 * its own handler decides, and `anybody`.
 */
function askedBy({ security, 'x-permission': permission = 'signed-in' }: Operation): string {
  if (security?.length === 0) return 'anybody'
  return typeof permission === 'string' ? permission : `${permission.platform} ${permission.tenant}`
}

describe('the routes of the platform', () => {
  let platform: TestPlatform
  let operations: readonly (readonly [route: string, operation: Operation])[]
  before(async () => {
    platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    const { body } = await platform.admin.get('/openapi.json')
    const paths = Object.entries(
      body['paths'] as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>,
    )
    operations = paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${path} ${method.toUpperCase()}`, operation] as const),
    )
  })
  after(() => platform[Symbol.asyncDispose]())

  it('ask for the permissions that are meant, and are open to nobody else', () => {
    const asked = operations.map(([route, operation]) => `${route} ${askedBy(operation)}`)
    const meant = [adminRoutes, tenantRoutes, aiRoutes, otherRoutes].flatMap((table) => table.trim().split('\n'))
    assert.deepEqual(asked.sort(), meant.sort())
  })

  it('that are bounded are asked no more often than they may be', () => {
    const most = operations.flatMap(([route, { description = '' }]) => {
      const [, bound] = /At most (\d+ requests in \d+ seconds for each \w+)\./.exec(description) ?? []
      return bound === undefined ? [] : [`${route}: ${bound}`]
    })
    assert.deepEqual(most.sort(), bounds)
  })
})
