import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { startBackEnd } from '../../support/back-end.ts'
import { childEnv } from '../../support/child-env.ts'
import { freePort } from '../../support/free-port.ts'
import { checkout, startHostProcess, type HostProcess } from '../../support/host-process.ts'
import { silentLog } from '../../support/kernel.ts'

/** The administrator of this platform. */
export const credentials = { email: 'admin@stoa.test', password: 'a long enough passphrase' }
/** What the newer version's migration waits for. */
export const migrationLock = 4711

/** A host of the next version. */
export interface NewerHost extends AsyncDisposable {
  /** Where it answers; pending while its migrations run. */
  readonly url: Promise<string>
}

/** What the hosts of two versions share. */
export interface RollingWorld extends AsyncDisposable {
  readonly database: Database
  /** Starts the program of this version as an operator does, and waits until it is healthy. */
  startOlder(folder: string): Promise<HostProcess>
  /** Starts that program where it cannot start; what it says, and its exit code. */
  refuseOlder(folder: string): Promise<readonly [string, number | null]>
  startNewer(): NewerHost
}

const waitAndChange = `export async function up(knex) {
  await knex.raw('select pg_advisory_xact_lock(${migrationLock})')
  await knex.raw("alter table users add column motto text not null default 'none', add column rank int generated always as (1) stored")
  await knex.raw('create index users_by_motto on users (tenant_id, motto)')
}`
const things = `export const up = (knex) => knex.schema.createTable('of_the_future_things', (table) => table.increments())`

/** A database and a Redis for hosts of two versions. */
export async function startRollingWorld(): Promise<RollingWorld> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-rolling-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const users = path.join(folder, 'users')
  const future = path.join(folder, 'future')
  await cp(path.join(checkout, 'core-plugins', 'users', 'migrations'), users, { recursive: true })
  await mkdir(future)
  // What they import lies where they came from.
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', imports: ownNames() }))
  await writeFile(path.join(users, '900-later.ts'), waitAndChange)
  await writeFile(path.join(future, '001-things.ts'), things)

  const backEnd = started.use(await startBackEnd())
  const url = String(backEnd.env['DATABASE_URL'])
  const database = started.use(await openDatabase({ url, poolSize: 4, log: silentLog }))
  const env = {
    ...{ ...backEnd.env, HOST: '127.0.0.1', LOG_LEVEL: 'error', STOA_DEMO: '0' },
    ...{ ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password },
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const resources = started.move()
  return {
    database,
    startOlder: (name) => startHostProcess({ dataDir: path.join(folder, name), env }),
    async refuseOlder(name) {
      const all = { ...childEnv, ...env, PORT: String(await freePort()), DATA_DIR: path.join(folder, name) }
      return new Promise((resolve) => {
        const entry = path.join(checkout, 'core-plugins', 'start.js')
        const child = execFile(process.execPath, [entry], { env: all }, (_, stdout, stderr) =>
          resolve([stdout + stderr, child.exitCode]),
        )
      })
    },
    startNewer: () =>
      startNewer({
        ...{ ...env, NODE_ENV: 'test', DATA_DIR: path.join(folder, 'newer') },
        ...{ USERS_MIGRATIONS: users, FUTURE_MIGRATIONS: future },
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function startNewer(env: Readonly<Record<string, string>>): NewerHost {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'newer-host.ts')], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const { stdout } = child
  if (!stdout) throw new Error('the host has no output')
  const url = new Promise<string>((resolve, reject) => {
    let output = ''
    stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /listening at (\S+)\n/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the newer host ended: ${output}`)))
  })
  url.catch(() => undefined)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function ownNames(): Record<string, string> {
  return Object.fromEntries(['kernel'].map((name) => [`#${name}`, path.join(checkout, name, 'index.ts')]))
}
