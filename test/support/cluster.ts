import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import knex, { type Knex } from 'knex'
import { openDatabase } from '../../kernel/data/database.ts'
import { codeOf } from '../../kernel/data/surroundings.ts'
import { startEmbeddedPostgres } from '../../kernel/data/embedded-postgres.ts'
import type { Logger } from '../../kernel/log.ts'
import { until } from './until.ts'
import { compileCache } from './child-env.ts'
import { noteTime, reportTimes, startTimes } from './slow-files.ts'

/** A database of a test's own, dropped when it is disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

/** What a test's database starts from: a template of this name, built once per run. */
export interface DatabaseTemplate {
  readonly name: string
  prepare(knex: Knex): Promise<void>
}

// Of all that is imported from here on, in every process of a run.
module.enableCompileCache(compileCache)

/** Bytes: what the databases of a run take at most, many times over. */
const clusterRoom = 6e9
const clusterPrefix = 'stoa-cluster-'
const settlingMs = 10 * 60_000
/** SQLSTATE of what a role may not do, which each version of PostgreSQL puts in other words. */
const insufficientPrivilege = '42501'

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
}
const resources = new AsyncDisposableStack()
const templates = new Map<string, Promise<string>>()
let connected: Knex | undefined
let count = 0

/** Mocha's, once a run: starts the cluster that all of its processes share. */
export async function mochaGlobalSetup(): Promise<void> {
  process.env['STOA_TEST_RUN'] = `stoa_test_${process.pid}_${randomBytes(3).toString('hex')}`
  await startTimes()
  process.env['STOA_TEST_CLUSTER'] = process.env['STOA_TEST_DATABASE_URL'] || (await startEmbedded())
}

/** Mocha's, once a run: the cluster ends, or is left as it was found. */
export async function mochaGlobalTeardown(): Promise<void> {
  await dropRest()
  await resources.disposeAsync()
  await reportTimes()
}

/** Mocha's: a process keeps no connection to the cluster after its tests, nor between two files when there are several. */
export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(180_000)
    await disconnect()
    noteTime(this.test?.parent?.suites[0]?.file ?? '')
  },
}

/** Makes an empty database, or a copy of a template, on the cluster of this run. */
export async function createTestDatabase(template?: DatabaseTemplate): Promise<TestDatabase> {
  const name = await create(nextName(), template && (await built(template)))
  return { url: withDatabase(clusterUrl(), name), [Symbol.asyncDispose]: () => drop(name) }
}

/** The Redis that tests may use, when there is one. */
export function testRedisUrl(): string | undefined {
  return process.env['STOA_TEST_REDIS_URL'] || undefined
}

function clusterUrl(): string {
  // Outside of mocha, as in a bench, there is only one that runs already.
  const url = process.env['STOA_TEST_CLUSTER'] ?? process.env['STOA_TEST_DATABASE_URL']
  if (!url) throw new Error('The cluster is started by mocha: run it with --require ./test/support/cluster.ts')
  return url
}

function admin(): Knex {
  connected ??= knex({ client: 'pg', connection: clusterUrl(), pool: { min: 0, max: 4 } })
  return connected
}

async function disconnect(): Promise<void> {
  await connected?.destroy()
  connected = undefined
}

async function startEmbedded(): Promise<string> {
  const dataDir = await mkdtemp(path.join(await quickFolder(), clusterPrefix))
  resources.defer(() => rm(dataDir, { recursive: true, force: true }))
  // As root the server runs as nobody, who must get through.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silent,
    mayCreateDatabases: true,
    // A run that crashes loses nothing worth keeping; a vacuum belongs to the superuser, so no `force` drops its database.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      max_connections: '300',
    },
  })
  return resources.use(postgres).url
}

/**
 * Where files are made quickest: a test's database is 1,500 of them, which cost a disk's file system half a second of
 * computing and memory a tenth of that.
 */
async function quickFolder(): Promise<string> {
  const memory = '/dev/shm'
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  if (room < clusterRoom) return tmpdir()
  await sweep(memory)
  return memory
}

/** Runs that were killed leave their clusters, which would keep their memory until the machine starts anew. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const left = path.join(folder, name)
    if (!name.startsWith(clusterPrefix) || (await isInUse(left))) continue
    await rm(left, { recursive: true, force: true })
  }
}

async function isInUse(cluster: string): Promise<boolean> {
  const { mtimeMs } = await stat(cluster).catch(() => ({ mtimeMs: Date.now() }))
  const pid = await readFile(path.join(cluster, 'pg/data/postmaster.pid'), 'utf8').catch(() => '')
  // One that has just been made has no server yet.
  return Date.now() - mtimeMs < settlingMs || existsSync(`/proc/${Number.parseInt(pid, 10)}`)
}

function runName(): string {
  return process.env['STOA_TEST_RUN'] ?? 'stoa_test'
}

function nextName(): string {
  return `${runName()}_${process.pid}_${++count}`
}

function built(template: DatabaseTemplate): Promise<string> {
  const known = templates.get(template.name) ?? build(template)
  templates.set(template.name, known)
  return known
}

/** Built by the first process that needs it, while the others wait. */
async function build(template: DatabaseTemplate): Promise<string> {
  const hash = createHash('sha256').update(template.name).digest()
  const name = `${runName()}_t${hash.toString('hex', 0, 6)}`
  await admin().transaction(async (lock) => {
    await lock.raw('select pg_advisory_xact_lock(?)', [hash.readInt32BE()])
    if (await lock('pg_database').where({ datname: name }).first('datname')) return
    const draft = await create(nextName())
    {
      await using database = await openDatabase({ url: withDatabase(clusterUrl(), draft), poolSize: 2, log: silent })
      await template.prepare(database.knex)
    }
    await admin().raw('alter database ?? rename to ??', [draft, name])
  })
  return name
}

async function create(name: string, template = 'template1'): Promise<string> {
  // Copying the files is half the work of writing every page to the log, where nothing has to outlive a crash.
  // PostgreSQL 14 knows no other way.
  const { rows } = await admin().raw<{ rows: [{ version: number }] }>(
    `select current_setting('server_version_num')::int as version`,
  )
  const strategy = rows[0].version >= 150_000 ? 'strategy file_copy' : ''
  await admin().raw(`create database ?? template ?? ${strategy}`, [name, template])
  return name
}

async function drop(name: string): Promise<void> {
  // Whoever else is in it leaves by itself: the server's vacuum, and connections of plugins that were closed just now.
  await until(async () => {
    try {
      await admin().raw('drop database if exists ?? with (force)', [name])
      return true
    } catch (error) {
      if (codeOf(error) === insufficientPrivilege) return false
      throw error
    }
  }, 60_000)
}

async function dropRest(): Promise<void> {
  const left = await admin()('pg_database')
    .where('datname', 'like', `${runName().replaceAll('_', '\\_')}%`)
    .pluck('datname')
  for (const name of left as string[]) await drop(name)
  await disconnect()
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
