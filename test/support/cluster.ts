import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import knex, { type Knex } from 'knex'
import { openDatabase } from '../../kernel/data/database.ts'
import { startEmbeddedPostgres } from '../../kernel/data/embedded-postgres.ts'
import type { Logger } from '../../kernel/log.ts'

/** A database of a test's own, dropped when it is disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

/** What a test's database starts from: a template of this name, built once per run. */
export interface DatabaseTemplate {
  readonly name: string
  prepare(knex: Knex): Promise<void>
}

interface Cluster {
  readonly url: string
  readonly admin: Knex
}

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
}
const run = `stoa_test_${process.pid}_${randomBytes(3).toString('hex')}`
const resources = new AsyncDisposableStack()
const templates = new Map<string, Promise<string>>()
let starting: Promise<Cluster> | undefined
let count = 0

/** Makes an empty database, or a copy of a template, on the cluster of this run; the cluster starts with the first one. */
export async function createTestDatabase(template?: DatabaseTemplate): Promise<TestDatabase> {
  const { admin, url } = await cluster()
  const name = await create(admin, template && (await built(template)))
  return { url: withDatabase(url, name), [Symbol.asyncDispose]: () => drop(admin, name) }
}

/** The Redis that tests may use, when there is one. */
export function testRedisUrl(): string | undefined {
  return process.env['STOA_TEST_REDIS_URL'] || undefined
}

/** Mocha's: the cluster ends with the run. */
export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(60_000)
    await resources.disposeAsync()
  },
}

function cluster(): Promise<Cluster> {
  starting ??= start()
  return starting
}

async function start(): Promise<Cluster> {
  const url = process.env['STOA_TEST_DATABASE_URL'] || (await startEmbedded())
  const admin = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } })
  resources.defer(() => admin.destroy())
  resources.defer(async () => {
    for (const name of templates.values()) await drop(admin, await name)
  })
  return { url, admin }
}

async function startEmbedded(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-cluster-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true }))
  // As root the server runs as nobody, who must get through.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silent,
    mayCreateDatabases: true,
    // A run that crashes loses nothing worth keeping; a vacuum belongs to the superuser, so no `force` drops its database.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
  })
  return resources.use(postgres).url
}

function built(template: DatabaseTemplate): Promise<string> {
  const known = templates.get(template.name) ?? build(template)
  templates.set(template.name, known)
  return known
}

async function build(template: DatabaseTemplate): Promise<string> {
  const { admin, url } = await cluster()
  const name = await create(admin)
  await using database = await openDatabase({ url: withDatabase(url, name), poolSize: 2, log: silent })
  await template.prepare(database.knex)
  return name
}

async function create(admin: Knex, template = 'template1'): Promise<string> {
  const name = `${run}_${++count}`
  await admin.raw('create database ?? template ??', [name, template])
  return name
}

async function drop(admin: Knex, name: string): Promise<void> {
  await admin.raw('drop database if exists ?? with (force)', [name])
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
