import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Body } from '../../support/api.ts'
import { startTestPlatform } from '../../support/identity.ts'
import { routesOfIdentity } from './routes-of-identity.ts'
import { routesOfPlugins } from './routes-of-plugins.ts'
import { routesOfWork } from './routes-of-work.ts'

interface Operation {
  readonly security?: readonly unknown[]
  readonly 'x-permission'?: string | { readonly platform: string; readonly tenant: string }
}

/**
 * What a route asks for, as the tables say it: a permission, of a route for both scopes the platform's and the tenants', `signed-in` where its own
 * handler decides, and `anybody`.
 */
function askedBy({ security, 'x-permission': permission = 'signed-in' }: Operation): string {
  if (security?.length === 0) return 'anybody'
  return typeof permission === 'string' ? permission : `${permission.platform} ${permission.tenant}`
}

describe('the routes of the core plugins', function () {
  this.timeout(120_000)

  it('ask for the permissions that are meant, and are open to nobody else', async () => {
    await using platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    const { body } = await platform.admin.get('/openapi.json')
    const paths = Object.entries(body['paths'] as unknown as Readonly<Record<string, Body>>)
    const asked = paths.flatMap(([path, operations]) =>
      Object.entries(operations as unknown as Readonly<Record<string, Operation>>).map(
        ([method, operation]) => `${path} ${method.toUpperCase()} ${askedBy(operation)}`,
      ),
    )
    assert.deepEqual(asked.sort(), [...routesOfIdentity, ...routesOfPlugins, ...routesOfWork].sort())
  })
})
