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
export const holdReleases = (stage: Stage): Promise<AsyncDisposable> => holdWrites(stage, 'plugin_releases')

/** Lets nobody switch plugins on or off until this is disposed of; they can be read. */
export const holdPlugins = (stage: Stage): Promise<AsyncDisposable> => holdWrites(stage, 'plugins')

async function holdWrites({ host }: Stage, table: string): Promise<AsyncDisposable> {
  const held: Knex.Transaction = await host.kernel.database.knex.transaction()
  await held.raw('lock table ?? in share mode', [table])
  return { [Symbol.asyncDispose]: () => held.rollback().then(() => undefined) }
}
