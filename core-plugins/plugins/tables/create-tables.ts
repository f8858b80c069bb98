import type { Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import { createOwnTables, type ReleaseTables } from './own-tables.ts'

/**
 * Makes a plugin's tables as the first thing of a change: before the generation, for which every change of any plugin waits, since
 * an author's migrations may take a minute.
 */
export async function createTables(
  trx: Knex.Transaction,
  { sandbox }: { readonly sandbox: Pick<Sandbox, 'services'> },
  release: ReleaseTables,
): Promise<void> {
  await createOwnTables(trx, release, sandbox.services.rolePassword(release.manifest.name))
  await trx.raw('set local lock_timeout to default')
}
