import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { ChangeFeed } from './data/change-feed.ts'
import { openDatabase } from './data/database.ts'
import { startEmbeddedPostgres } from './data/embedded-postgres.ts'
import { longestMigration, migrate } from './data/migrate.ts'
import { refuseNewerSchema } from './data/newer-schema.ts'
import { openStore } from './data/store.ts'
import { kernelStarted, kernelStopping } from './event.ts'
import { checkAddress } from './http/address.ts'
import { listen } from './http/app.ts'
import { RunningKernel, type Kernel, type KernelOptions } from './kernel.ts'
import { createLogger, type Logger } from './log.ts'
import { orderPlugins } from './order.ts'
import { StartWatch } from './start-watch.ts'

/** The embedded server gives up by itself before that; it may have a long log to replay. */
const longestRecovery = 300_000

/** Opens the data layer, enables the plugins in the order of their needs and answers requests. */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  using watch = new StartWatch(options.startMilliseconds)
  return await watch.outcome(start(options, watch))
}

async function start(options: KernelOptions, watch: StartWatch): Promise<Kernel> {
  await using started = new AsyncDisposableStack()
  const { env } = options
  const log = options.log ?? createLogger(env.logLevel)
  const hostId = randomUUID()
  watch.begin(`${env.host}:${env.port}`)
  await checkAddress(env)
  watch.begin('the embedded PostgreSQL', longestRecovery)
  const url = env.databaseUrl ?? started.use(await startEmbeddedPostgres({ dataDir: env.dataDir, log })).url
  watch.begin('the database')
  const database = started.use(await openDatabase({ url, poolSize: options.poolSize ?? 10, log }))
  const migrations = path.join(import.meta.dirname, 'data', 'migrations')
  const all = [{ name: 'kernel', migrations }, ...options.plugins]
  const done = await refuseNewerSchema(database.knex, all, options.isWhole ?? false)
  watch.begin('the migrations of the kernel', longestMigration)
  await migrate(database.knex, 'kernel', migrations, log, undefined, done)
  watch.begin('Redis')
  const store = started.use(await openStore(storeOptions(options, hostId, log)))
  watch.begin('the database')
  // Apart from the pool: where every connection of it waits, this host must not believe what it keeps.
  const reader = started.use(await openDatabase({ url, poolSize: 1, log, applicationName: 'stoa changes' }))
  const changes = started.use(new ChangeFeed(reader.knex, log))
  const kernel = new RunningKernel(options, log, hostId, database, url, store, changes)
  kernel.starting = watch
  kernel.doneMigrations = done
  started.use(kernel.events)
  started.defer(() => kernel.disableAll())
  for (const plugin of orderPlugins(options.plugins, new Set(kernel.services.ids))) await kernel.enable(plugin)
  watch.begin('what follows from the start')
  await changes.start()
  kernel.listening = await listen(kernel)
  started.use(kernel.listening)
  started.defer(async () => void (await kernel.events.emit(kernelStopping, {})))
  await kernel.events.emit(kernelStarted, {})
  kernel.starting = undefined
  kernel.resources = started.move()
  return kernel
}

function storeOptions(
  { env, namespace = env.redisNamespace }: KernelOptions,
  hostId: string,
  log: Logger,
): Parameters<typeof openStore>[0] {
  return { hostId, log, ...(env.redisUrl && { redisUrl: env.redisUrl }), ...(namespace && { namespace }) }
}
