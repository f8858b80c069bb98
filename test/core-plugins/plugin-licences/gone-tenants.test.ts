// @both-back-ends
import assert from 'node:assert/strict'
import { lockUntilCommit } from '#kernel'
import { statesLock } from '../../../core-plugins/plugin-licences/licence-rows.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { activate, createTenants, installLicensed, licenceOf, startLicenceWorld } from './world.ts'

describe('what is kept of the licences of a tenant', () => {
  it('does not come back when a licence changes while the tenant is being erased', async () => {
    await using world = await startLicenceWorld()
    const { admin, platform } = world
    const { knex } = platform.host.kernel.database
    const [gone, living] = await createTenants(admin, ['gone', 'living'])
    assert.ok(gone && living)
    await installLicensed(world, 'acme.paid', [gone, living])
    const licence = licenceOf({ tenants: [gone.id, living.id] })
    dataOf(await activate(world, licence))
    const states = async () => {
      const rows = knex('plugin_licence_states').queryContext({ tenant: 'all' }).orderBy('tenant_id')
      return (await rows.select('tenant_id', 'state')).map(Object.values)
    }
    await until(async () => (await states()).length === 2)

    await knex.transaction(async (trx) => {
      await lockUntilCommit(trx, statesLock)
      dataOf(await admin.delete(`/admin/tenants/${gone.id}`))
      await until(async () => (await waiting()) >= 1)
      // What is known of licences by then still names the tenant.
      dataOf(await admin.delete(`/plugins/acme.paid/license?tenant_id=${living.id}`))
      await until(async () => (await waiting()) >= 2)
    })
    const isErased = async () => (await knex('tenants').where({ id: gone.id }).whereNotNull('erased_at')).length === 1
    await until(async () => (await isErased()) && (await states()).flat().includes('revoked'))
    assert.deepEqual(await states(), [[living.id, 'revoked']])

    async function waiting(): Promise<number> {
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.length
    }
  })
})
