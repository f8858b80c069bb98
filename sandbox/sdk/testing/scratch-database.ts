import { chmod, mkdir } from 'node:fs/promises'
import { enableTenantRows, openDatabase, startEmbeddedPostgres, type Logger } from '#kernel'
import type { Knex } from 'knex'
import { createPluginRole, grantTables } from '../../broker/database/plugin-role.ts'
import type { PluginManifest } from '../../manifest/plugin-manifest.ts'
import type { PluginMigration } from '../../migrations/compile-migrations.ts'

/** A database of a test's own, with the plugin's tables and its login role. */
export interface ScratchDatabase extends AsyncDisposable {
  urlFor(user: string, password: string): string
}

/** What the tables are made of. */
export interface ScratchTables {
  readonly manifest: PluginManifest
  readonly migrations: readonly PluginMigration[]
  readonly password: string
}

/** Starts a private PostgreSQL in a folder and makes the plugin's tables in it, as an installation does. */
export async function startScratchDatabase(
  dataDir: string,
  { manifest: { name, db }, migrations, password }: ScratchTables,
  log: Logger,
): Promise<ScratchDatabase> {
  await using started = new AsyncDisposableStack()
  await mkdir(dataDir)
  // As root the server runs as somebody else, who must get through.
  await chmod(dataDir, 0o711)
  // Nothing here outlives the test: what makes writes durable only costs time.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }
  const { url } = started.use(await startEmbeddedPostgres({ dataDir, log, settings }))
  await using database = await openDatabase({ url, poolSize: 1, log })
  await database.knex.transaction(async (trx) => {
    await createPluginRole(trx, name, password)
    for (const { up } of migrations) for (const step of up) await applyStep(trx, step)
    await grantTables(trx, name, db?.tables ?? [])
  })
  const close = started.move()
  return {
    urlFor(user, given) {
      const changed = new URL(url)
      changed.username = encodeURIComponent(user)
      changed.password = encodeURIComponent(given)
      return changed.href
    },
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  }
}

async function applyStep(trx: Knex.Transaction, step: PluginMigration['up'][number]): Promise<void> {
  if ('enableTenantRows' in step) return enableTenantRows(trx, step.enableTenantRows)
  // Knex reads a question mark as a place for a value.
  await trx.raw(step.sql.replaceAll('?', '\\?')).queryContext({ tenant: 'all' })
}
