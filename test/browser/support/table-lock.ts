import type { Knex } from 'knex'
import type { Stage } from './stage.ts'

/** Holds a plugin's table so that whatever comes to it waits, until this is disposed of. */
export async function holdTable({ host }: Stage, name: string): Promise<AsyncDisposable> {
  const { knex } = host.kernel.database
  const found = await knex('pg_tables').queryContext({ tenant: 'all' }).whereLike('tablename', `plg\\_%\\_${name}`)
  const [{ tablename: table, schemaname: schema }] = found as [{ tablename: string; schemaname: string }]
  const held: Knex.Transaction = await knex.transaction()
  await held.raw('lock table ??.?? in access exclusive mode', [schema, table])
  return { [Symbol.asyncDispose]: () => held.rollback().then(() => undefined) }
}

/** Lets nobody write what is installed until this is disposed of; it can be read. */
export async function holdReleases({ host }: Stage): Promise<AsyncDisposable> {
  const held: Knex.Transaction = await host.kernel.database.knex.transaction()
  await held.raw('lock table plugin_releases in share mode')
  return { [Symbol.asyncDispose]: () => held.rollback().then(() => undefined) }
}
