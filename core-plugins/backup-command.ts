import {
  AppError,
  createGuardedFetch,
  createLogger,
  openDatabase,
  readEnvironment,
  StartError,
  type Environment,
  type Logger,
} from '#kernel'
import { BackupError } from './backup/backup-error.ts'
import { readArguments } from './backup/command/arguments.ts'
import { runCommand } from './backup/command/run-command.ts'
import { createLocalDriver } from './storage/drivers/local/local-driver.ts'
import { createS3Driver } from './storage/drivers/s3/s3-driver.ts'
import { DriverTable } from './storage/drivers/driver-table.ts'
import { ByteHolds } from './storage/objects/byte-holds.ts'

await using resources = new AsyncDisposableStack()

try {
  const given = readArguments(process.argv.slice(2), process.env)
  const { endpoint } = given.access
  await runCommand(given, {
    variables: process.env,
    readEnvironment: () => readEnvironment(),
    volumesOf: (environment) => volumesOf(environment, endpoint),
    holdBytes,
    print: (line) => console.log(line),
    progress: (line) => console.error(line),
  })
} catch (error) {
  if (!(error instanceof StartError || error instanceof BackupError || error instanceof AppError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** The drivers of the platform itself; whoever types the address of a bucket may reach it, wherever it is. */
function volumesOf({ dataDir, egressAllowPrivate, dnsServers }: Environment, endpoint: string) {
  const drivers = new DriverTable()
  const allowed = new Set(egressAllowPrivate)
  const { hostname, port, protocol } = URL.parse(endpoint) ?? {}
  if (hostname) allowed.add(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`)
  const client = resources.use(createGuardedFetch({ egressAllowPrivate: allowed, dnsServers }))
  drivers.register(createLocalDriver(dataDir))
  drivers.register(createS3Driver({ platform: client, tenant: client }))
  return (name: string, config: Readonly<Record<string, unknown>>) => drivers.open(name, config)
}

async function holdBytes(url: string, log: Logger): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openDatabase({ url, poolSize: 1, log: createLogger('silent') }))
  const exists = await database.knex.schema.hasTable('storage_holds')
  // The platform is older than this checkout: bytes that go meanwhile are noticed when they are copied.
  if (exists) opened.use(await new ByteHolds(database.knex).take())
  else log.error({}, 'bytes of stored files cannot be held in this database')
  return opened.move()
}
