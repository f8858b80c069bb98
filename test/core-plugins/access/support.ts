import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import type { TestPlatform, TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'

/** Creates an organisation node and answers its id. */
export async function createOrg(
  by: Api,
  name: string,
  parentId: number | null = null,
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const made = dataOf(await by.post('/tenant/orgs', { name, parent_id: parentId, ...more }), 201)
  return Number(made['id'])
}

/** Creates a role in a tenant and answers its id. */
export async function createRole(
  by: Api,
  code: string,
  permissions: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  return Number(dataOf(await by.post('/tenant/roles', { code, name: code, permissions, ...more }), 201)['id'])
}

/** Creates a user with these roles who belongs to these nodes, and signs in. */
export async function createMember(
  platform: TestPlatform,
  tenant: TestTenant,
  name: string,
  roles: readonly string[],
  orgIds: readonly number[],
): Promise<{ readonly id: number; readonly api: Api }> {
  const user = await platform.createUser(tenant, `${name}@${tenant.code}.test`, roles)
  for (const id of orgIds) dataOf(await tenant.owner.put(`/tenant/orgs/${id}/members`, { user_ids: [user.id] }))
  return user
}

/** What the caller holds now. */
export async function heldBy(api: Api): Promise<{ readonly roles: readonly string[]; readonly permissions: unknown }> {
  const { roles, permissions } = dataOf(await api.get('/permissions/me'))
  assert.ok(Array.isArray(roles))
  return { roles: (roles as { code: string }[]).map(({ code }) => code), permissions }
}
