import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { Disk } from './disk.ts'

/** A PostgreSQL of this run's own that may be broken. */
export interface PostgresServer extends AsyncDisposable {
  /** As the platform's role. */
  readonly url: string
  /** Asks as the superuser, past every wire and every policy. */
  rows<T extends object>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>
  /** Halts all its processes, or lets them go on. */
  freeze(isFrozen: boolean): Promise<void>
  /** Ends it at once, as `pg_ctl stop -m immediate` does, or after a checkpoint, as `-m fast` does. */
  kill(how?: 'immediate' | 'fast'): Promise<void>
  /** Starts it unless it runs, and waits until it answers. */
  start(): Promise<void>
  /** Where its tables and its log lie, where those are disks of their own. */
  readonly disks: { readonly tables: Disk; readonly log: Disk } | undefined
}

const serverSettings = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'max_wal_size=80MB',
  'min_wal_size=32MB',
]
const tablesSize = '400m'
const logSize = '200m'

/** Starts the newest of Debian's; a commit waits for the system to have it, which is what a killed process leaves behind. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const bin = await findBinaries()
  const owner = await findOwner()
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-chaos-pg-'))
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? owner.uid)
  await using started = new AsyncDisposableStack()
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const [data, log] = [path.join(folder, 'db'), path.join(folder, 'log')]
  for (const each of [data, log]) {
    await mkdir(each)
    if (owner.uid !== undefined) await chown(each, owner.uid, owner.gid ?? owner.uid)
  }
  const tablesDisk = Disk.mount(data, tablesSize, owner)
  if (tablesDisk) started.use(tablesDisk)
  const logDisk = Disk.mount(log, logSize, owner)
  if (logDisk) started.use(logDisk)
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-X', log, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8'],
    owner,
  )
  if (made.status !== 0) throw new Error(`initdb ended with ${String(made.stderr)}`)
  const port = await freePort()
  let child: ChildProcess | undefined

  /** One that gives up on the way, as with a full disk, is begun again. */
  async function start(): Promise<void> {
    const answers = async () => {
      if (!isRunning()) begin()
      return rows('select 1').then(isTrue, () => false)
    }
    await until(answers, 60_000)
  }

  function begin(): void {
    const settings = serverSettings.flatMap((setting) => ['-c', setting])
    const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, ...settings]
    child = spawn(path.join(bin, 'postgres'), options, { ...owner, stdio: 'ignore' })
  }

  function isRunning(): boolean {
    return child?.exitCode === null && child.signalCode === null
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

  async function kill(how: 'immediate' | 'fast' = 'immediate'): Promise<void> {
    if (!child || !isRunning()) return
    const ended = once(child, 'exit')
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }

  started.defer(() => kill())
  await start()
  await rows("create role stoa login password 'stoa' nosuperuser nobypassrls createrole createdb")
  await rows('create database stoa owner stoa')
  const resources = started.move()
  return {
    disks: tablesDisk && logDisk && { tables: tablesDisk, log: logDisk },
    url: `postgres://stoa:stoa@127.0.0.1:${port}/stoa`,
    ...{ rows, kill, start },
    async freeze(isFrozen) {
      const pid = child?.pid ?? 0
      for (const each of [pid, ...(await childrenOf(pid))]) process.kill(each, isFrozen ? 'SIGSTOP' : 'SIGCONT')
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
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
