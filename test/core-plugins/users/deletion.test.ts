// @both-back-ends
import assert from 'node:assert/strict'
import { runningKernel } from '../../support/auth.ts'
import { enrolFactor } from '../../support/second-factor.ts'
import { until } from '../../support/until.ts'
import { startUsersWorld, type UsersWorld } from './world.ts'

const tables = ['users', 'user_second_factors', 'user_recovery_codes', 'user_invitations', 'user_email_proofs']

describe('what is kept of users', () => {
  let world: UsersWorld
  before(async () => {
    world = await startUsersWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  /** How many rows each table has of a tenant. */
  async function counts(tenantId: number): Promise<readonly number[]> {
    const { knex } = runningKernel(world.platform).database
    const rows = tables.map((table) => knex(table).where('tenant_id', tenantId).queryContext({ tenant: tenantId }))
    return (await Promise.all(rows)).map(({ length }) => length)
  }

  it('goes with the user', async () => {
    const user = await world.platform.createUser(world.acme, 'gone@acme.test', ['tenant_admin'])
    await enrolFactor(user.api)
    await user.api.post('/tenant/users/invites', {})
    const before = await counts(world.acme.id)
    await world.acme.owner.delete(`/tenant/users/${user.id}`)
    assert.deepEqual(
      [before, await counts(world.acme.id)],
      [
        [2, 1, 10, 1, 0],
        [1, 0, 0, 0, 0],
      ],
    )
  })

  it('goes with the tenant, and no other’s', async () => {
    const tenant = await world.platform.createTenant('brief')
    await enrolFactor(tenant.owner)
    await tenant.owner.post('/tenant/users/invites', {})
    const deleted = await world.platform.admin.delete(`/admin/tenants/${tenant.id}`)
    assert.equal(deleted.status, 200, JSON.stringify(deleted.body))
    await until(async () => (await counts(tenant.id)).every((count) => count === 0))
    assert.deepEqual(await counts(world.acme.id), [1, 0, 0, 0, 0])
  })
})
