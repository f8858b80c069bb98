import assert from 'node:assert/strict'
import system from '../../../core-plugins/system/index.ts'
import type { Body } from '../../support/api.ts'
import { identityPlugins, startTestPlatform } from '../../support/identity.ts'
import { routePermissions } from './route-permissions.ts'

interface Operation {
  readonly security?: readonly unknown[]
  readonly 'x-permission'?: string | { readonly platform: string; readonly tenant: string }
}

/** What a route asks for, as the table says it. */
function askedBy({ security, 'x-permission': permission = 'signed-in' }: Operation): string {
  if (security?.length === 0) return 'anybody'
  return typeof permission === 'string' ? permission : `${permission.platform} ${permission.tenant}`
}

describe('the routes of the identity plugins', () => {
  it('ask for the permissions that are meant, and are open to nobody else', async () => {
    await using platform = await startTestPlatform({ plugins: [...identityPlugins, system] })
    const { body } = await platform.admin.get('/openapi.json')
    const paths = Object.entries(body['paths'] as unknown as Readonly<Record<string, Body>>)
    const asked = paths.flatMap(([path, operations]) =>
      Object.entries(operations as unknown as Readonly<Record<string, Operation>>).map(
        ([method, operation]) => `${path} ${method.toUpperCase()} ${askedBy(operation)}`,
      ),
    )
    assert.deepEqual(asked.sort(), routePermissions)
  })
})
