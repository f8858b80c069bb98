import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '../support/host-process.ts'
import { until } from '../support/until.ts'

/** A PostgreSQL of this run's own that may be broken. */
export interface PostgresServer extends AsyncDisposable {
  /** As the platform's role. */
  readonly url: string
  /** Asks as the superuser, past every wire and every policy. */
  rows<T extends object>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>
  /** Halts all its processes, or lets them go on. */
  freeze(isFrozen: boolean): Promise<void>
  /** Ends it at once, as `pg_ctl stop -m immediate` does. */
  kill(): Promise<void>
  start(): Promise<void>
}

const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200']

/** Starts the newest of Debian's; a commit waits for the system to have it, which is what a killed process leaves behind. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const bin = await findBinaries()
  const owner = await findOwner()
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-chaos-pg-'))
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? owner.uid)
  const data = path.join(folder, 'db')
  const made = spawnSync(path.join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8'], owner)
  if (made.status !== 0) throw new Error(`initdb ended with ${String(made.stderr)}`)
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = SETTINGS.flatMap((setting) => ['-c', setting])
    const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, ...settings]
    child = spawn(path.join(bin, 'postgres'), options, { ...owner, stdio: 'ignore' })
    await until(() => rows('select 1').then(isTrue, () => false), 60_000)
  }

  async function rows<T extends object>(sql: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const database = sql.startsWith('create') || sql === 'select 1' ? 'postgres' : 'stoa'
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<T>(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGQUIT')
    await ended
  }

  await start()
  await rows("create role stoa login password 'stoa' nosuperuser nobypassrls createrole createdb")
  await rows('create database stoa owner stoa')
  return {
    url: `postgres://stoa:stoa@127.0.0.1:${port}/stoa`,
    ...{ rows, kill, start },
    async freeze(isFrozen) {
      const pid = child?.pid ?? 0
      for (const each of [pid, ...(await childrenOf(pid))]) process.kill(each, isFrozen ? 'SIGSTOP' : 'SIGCONT')
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function isTrue(): boolean {
  return true
}

async function findBinaries(): Promise<string> {
  const place = '/usr/lib/postgresql'
  const versions = await readdir(place).catch(() => [])
  const newest = versions.sort((one, other) => Number(one) - Number(other)).at(-1)
  if (newest === undefined)
    throw new Error('Install PostgreSQL and Redis first: apt-get install postgresql redis-server')
  return path.join(place, newest, 'bin')
}

/** PostgreSQL refuses to run as root. */
async function findOwner(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const fields = /^postgres:.*$/m.exec(await readFile('/etc/passwd', 'utf8'))?.[0].split(':')
  if (!fields) throw new Error('there is no user postgres')
  return { uid: Number(fields[2]), gid: Number(fields[3]) }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}
