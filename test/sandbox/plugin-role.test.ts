// @both-back-ends
import assert from 'node:assert/strict'
import { createPluginRole, pluginRoleName } from '#sandbox'
import knex from 'knex'
import { createTestDatabase } from '../support/cluster.ts'

describe('The login role of a plugin', () => {
  it('is made, and given another password, by a platform that may make no databases', async () => {
    await using database = await createTestDatabase()
    await using resources = new AsyncDisposableStack()
    const db = resources.adopt(knex({ client: 'pg', connection: database.url }), (open) => open.destroy())
    const trx = resources.adopt(await db.transaction(), async (open) => void (await open.rollback()))
    const name = new URL(database.url).pathname.slice(1)
    const platform = `${name}_platform`
    await trx.raw('create role ?? login createrole nocreatedb', [platform])
    await trx.raw('grant ?? to current_user', [platform])
    await trx.raw('set local role ??', [platform])

    await createPluginRole(trx, 'acme.sales', 'one')
    await createPluginRole(trx, 'acme.sales', 'another')

    const rights: unknown = await trx('pg_roles')
      .where({ rolname: pluginRoleName('acme.sales', name) })
      .select('rolcanlogin', 'rolcreatedb', 'rolcreaterole', 'rolsuper', 'rolinherit')
    assert.deepEqual(rights, [
      { rolcanlogin: true, rolcreatedb: false, rolcreaterole: false, rolsuper: false, rolinherit: false },
    ])
  })
})
