import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../start-error.ts'
import { giveTo, type Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { prepareSockets, type Places } from './places.ts'

/** A server that runs. */
export interface Server {
  readonly pid: number
  readonly sockets: string
}

interface PidFile extends Server {
  readonly status: string
}

const longestStart = 120_000
const longestLog = 10_000_000
const ownSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
}

/** The server that already runs on the data folder, once it is ready. */
export async function findServer(places: Places): Promise<Server | undefined> {
  const deadline = Date.now() + longestStart
  for (;;) {
    const found = await readPidFile(places)
    if (!found || !(await isServer(found.pid, places))) return undefined
    if (found.status === 'ready') return found
    if (Date.now() > deadline) throw new StartError(`The embedded PostgreSQL is ${found.status} for too long`)
    await delay(10)
  }
}

/** Whether the process is the server of this data folder and not another that has its number by now, nor its remains. */
export async function isServer(pid: number, places: Places): Promise<boolean> {
  // The command line of a process that has ended but was not reaped is empty.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.split('\0').includes(places.data)
}

/** Starts the server; what an earlier one left behind after kill -9 is cleared, and its log replayed by the server. */
export async function startServer(
  places: Places,
  binaries: Binaries,
  account: Account,
  settings: Readonly<Record<string, string>>,
): Promise<Server> {
  // An earlier server may have run under the other account, before the data folder was closed or opened.
  if (path.dirname(places.sockets) === places.root) await rm(places.sockets, { recursive: true, force: true })
  await prepareSockets(places.sockets, account.owner)
  await giveTo(account, places.sockets)
  await clearPidFile(places)
  const deadline = Date.now() + longestStart
  for (;;) {
    const outcome = await tryStart(places, binaries, account, settings, deadline)
    if (typeof outcome !== 'string') return outcome
    // The processes of a server that was killed need a moment to notice and go.
    const isPassing = /pre-existing shared memory block|lock file .* already exists/.test(outcome)
    if (!isPassing || Date.now() > deadline) throw new StartError(`The embedded PostgreSQL does not start: ${outcome}`)
    await delay(50)
  }
}

async function tryStart(
  places: Places,
  binaries: Binaries,
  account: Account,
  settings: Readonly<Record<string, string>>,
  deadline: number,
): Promise<Server | string> {
  await using log = await openLog(places.log)
  const { size } = await log.stat()
  const options = Object.entries({ ...ownSettings, unix_socket_directories: places.sockets, ...settings })
  const child = account.spawn(
    binaries.postgres,
    ['-D', places.data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: '/',
      // It outlives this process while others use it, and Ctrl-C in the terminal must not reach it.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: binaries.environment,
    },
  )
  const ended = once(child, 'exit').catch((error: unknown) => error)
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  while (!hasEnded) {
    const found = await readPidFile(places)
    if (found?.pid === child.pid && found?.status === 'ready') {
      child.unref()
      return found
    }
    if (Date.now() > deadline) child.kill('SIGQUIT')
    await Promise.race([ended, delay(5)])
  }
  return lastFault((await readFile(places.log)).subarray(size).toString())
}

async function openLog(file: string): Promise<Awaited<ReturnType<typeof open>>> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size > longestLog) await rename(file, `${file}.1`)
  return open(file, 'a', 0o600)
}

function lastFault(log: string): string {
  const lines = log.trim().split('\n')
  return lines.findLast((line) => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? ''
}

/** After a restart of the machine the number in the file may belong to another process, which the server would take for itself. */
async function clearPidFile(places: Places): Promise<void> {
  const left = await readPidFile(places)
  if (left && existsSync(`/proc/${left.pid}`) && !(await isServer(left.pid, places))) await rm(places.pidFile)
}

async function readPidFile(places: Places): Promise<PidFile | undefined> {
  const lines = (await readFile(places.pidFile, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, sockets: lines[4] ?? '', status: (lines[7] ?? 'starting').trim() || 'starting' }
}
