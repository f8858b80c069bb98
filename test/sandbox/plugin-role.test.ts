// @both-back-ends
import assert from 'node:assert/strict'
import { createPluginRole, grantTables, pluginRoleName, tableName } from '#sandbox'
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

  it('reads and writes the tables that it was granted last, and no others', async () => {
    await using database = await createTestDatabase()
    await using resources = new AsyncDisposableStack()
    const db = resources.adopt(knex({ client: 'pg', connection: database.url }), (open) => open.destroy())
    const trx = resources.adopt(await db.transaction(), async (open) => void (await open.rollback()))
    const tables = ['bills', 'notes', 'lines'].map((short) => tableName('acme.sales', short))
    for (const table of tables) await trx.raw('create table ?? (id int)', [table])
    await createPluginRole(trx, 'acme.sales', 'one')
    const role = pluginRoleName('acme.sales', new URL(database.url).pathname.slice(1))
    const held = async (): Promise<readonly string[]> => {
      const { rows } = await trx.raw<{ rows: { table: string }[] }>(
        `select t as table from unnest(?::text[]) t where has_table_privilege(?, t, 'select, insert, update, delete')`,
        [tables, role],
      )
      return rows.map(({ table }) => table)
    }

    await grantTables(trx, 'acme.sales', ['bills', 'notes'])
    assert.deepEqual(await held(), tables.slice(0, 2))
    await grantTables(trx, 'acme.sales', ['notes', 'lines'])
    assert.deepEqual(await held(), tables.slice(1))
    await grantTables(trx, 'acme.sales', [])
    assert.deepEqual(await held(), [])
  })
})
