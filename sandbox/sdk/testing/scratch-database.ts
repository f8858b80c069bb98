import { chmod, mkdir } from 'node:fs/promises'
import { allowTime, enableTenantRows, openDatabase, startEmbeddedPostgres, type Logger } from '#kernel'
import type { Knex } from 'knex'
import { createPluginRole, grantTables } from '../../broker/database/plugin-role.ts'
import { sandboxLimits } from '../../limits.ts'
import { tableName } from '../../manifest/names.ts'
import type { PluginManifest } from '../../manifest/plugin-manifest.ts'
import type { PluginMigration } from '../../migrations/compile-migrations.ts'
import { MigrationNotAppliedError } from '../../migrations/errors.ts'
import { CallLog } from './call-log.ts'

/** A database of a test's own, with the plugin's tables and its login role. */
export interface ScratchDatabase extends AsyncDisposable {
  urlFor(user: string, password: string): string
}

/** What the tables are made of. */
export interface ScratchTables {
  readonly manifest: Pick<PluginManifest, 'name' | 'db'>
  readonly migrations: readonly PluginMigration[]
  readonly password: string
}

type Step = PluginMigration['up'][number]

/** Starts a private PostgreSQL in a folder and makes the plugin's tables in it, as an installation does. Throws 400/4009 where it refuses them. */
export async function startScratchDatabase(
  dataDir: string,
  { manifest: { name, db }, migrations, password }: ScratchTables,
  log: Logger,
): Promise<ScratchDatabase> {
  await using started = new AsyncDisposableStack()
  const { url } = started.use(await startPostgres(dataDir, log))
  await using database = await openDatabase({ url, poolSize: 1, log })
  await database.knex.transaction(async (trx) => {
    await createPluginRole(trx, name, password)
    const deadline = Date.now() + sandboxLimits.migrationMs.max
    for (const migration of migrations) await applyUp(trx, name, migration, deadline)
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

/**
 * Tries migrations on a private PostgreSQL in a folder: forth, back as far as there are down files, and forth again. Throws 400/4009, with the file and
 * the line, for a statement that it refuses, or that does not end in the time that an installation has for all of them.
 */
export async function tryMigrations(
  dataDir: string,
  { manifest: { name }, migrations }: Pick<ScratchTables, 'manifest' | 'migrations'>,
  milliseconds: number = sandboxLimits.migrationMs.max,
): Promise<void> {
  const { logger: log } = new CallLog()
  await using server = await startPostgres(dataDir, log)
  await using database = await openDatabase({ url: server.url, poolSize: 1, log })
  await database.knex.transaction(async (trx) => {
    const deadlineOfNow = () => Date.now() + milliseconds
    let deadline = deadlineOfNow()
    for (const migration of migrations) await applyUp(trx, name, migration, deadline)
    const fixed = migrations.findLastIndex(({ down }) => down === undefined)
    const reversible = migrations.slice(fixed + 1)
    deadline = deadlineOfNow()
    for (const { id, down = [] } of reversible.toReversed())
      await apply(trx, name, { file: `migrations/${id}.down.sql`, steps: down, deadline })
    deadline = deadlineOfNow()
    for (const migration of reversible) await applyUp(trx, name, migration, deadline)
  })
}

async function startPostgres(dataDir: string, log: Logger) {
  await mkdir(dataDir)
  // As root the server runs as somebody else, who must get through.
  await chmod(dataDir, 0o711)
  // Nothing here outlives the test: what makes writes durable only costs time.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }
  return startEmbeddedPostgres({ dataDir, log, settings })
}

interface Script {
  readonly file: string
  readonly steps: PluginMigration['up']
  /** A statement that runs longer is ended. */
  readonly deadline: number
}

function applyUp(trx: Knex.Transaction, plugin: string, { id, up }: PluginMigration, deadline: number): Promise<void> {
  return apply(trx, plugin, { file: `migrations/${id}.up.sql`, steps: up, deadline })
}

async function apply(trx: Knex.Transaction, plugin: string, { file, steps, deadline }: Script): Promise<void> {
  for (const step of steps) {
    try {
      // Zero would mean no limit.
      await allowTime(trx, Math.max(deadline - Date.now(), 1))
      await applyStep(trx, step)
    } catch (error) {
      const { severity, message } = error as { severity?: unknown; message: string }
      if (severity !== 'ERROR') throw error
      // Knex says the statement first.
      const why = (message.split(' - ').at(-1) ?? message).replaceAll(tableName(plugin, ''), '')
      throw new MigrationNotAppliedError(
        { file, line: step.line, why },
        { details: { rule: 'migration', file, line: step.line }, cause: error },
      )
    }
  }
}

async function applyStep(trx: Knex.Transaction, step: Step): Promise<void> {
  if ('enableTenantRows' in step) return enableTenantRows(trx, step.enableTenantRows)
  // Knex reads a question mark as a place for a value.
  await trx.raw(step.sql.replaceAll('?', '\\?')).queryContext({ tenant: 'all' })
}
