import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { lifeline } from '../../kernel/launch.js'
import { checkout } from '../author/checkout.ts'
import { PlatformClient, PlatformRefusal } from './platform-client.ts'

const startMs = 60_000

/** A platform of an author's own; disposing it leaves nothing of it. */
export interface PrivatePlatform extends AsyncDisposable {
  readonly admin: PlatformClient
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<unknown>
}

/** Starts a platform in a folder of its own, on a free port unless one is given; `onLine` gets what it logs. */
export async function startPrivatePlatform(
  onLine: (fields: Readonly<Record<string, unknown>>) => void,
  wantedPort?: number,
): Promise<PrivatePlatform> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'stoa-dev-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  // Sandbox hosts and the database may run as somebody else, who must get through.
  await chmod(folder, 0o711)
  const port = await freePort(wantedPort)
  const credentials = { email: 'admin@dev.test', password: randomBytes(18).toString('base64url') }
  const child = spawn(process.execPath, [join(checkout, 'core-plugins/start.js')], {
    env: {
      ...{ PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), PORT: String(port) },
      ...{ ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password },
      ...{ STOA_DEV: '1', STOA_DEMO: '0', LOG_LEVEL: 'debug' },
      ...passedOn(),
      ...lifeline.env,
    },
    stdio: ['ignore', 'ignore', 'pipe', lifeline.stdio],
    // A Ctrl-C at the terminal is ours: the platform is told when it is its turn.
    detached: true,
  })
  const ended = once(child, 'exit')
  resources.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  const complaints: string[] = []
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      const fields = parseLine(line)
      if (fields) onLine(fields)
      else complaints.push(line)
    })
  const url = `http://127.0.0.1:${port}`
  await untilHealthy(url, () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new PlatformRefusal(`The platform did not start:\n${complaints.join('\n')}`)
  })
  const admin = await new PlatformClient(url).signIn('/admin/auth/login/json', credentials)
  const close = resources.move()
  return { admin, ended, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

/** What an author says of the network around: a mock on this machine is a private address. */
function passedOn(): Readonly<Record<string, string>> {
  const allowed = process.env['EGRESS_ALLOW_PRIVATE']
  return allowed === undefined ? {} : { EGRESS_ALLOW_PRIVATE: allowed }
}

async function untilHealthy(url: string, check: () => void): Promise<void> {
  const deadline = Date.now() + startMs
  while (Date.now() < deadline) {
    check()
    const answer = await fetch(`${url}/api/public/health`).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
  throw new PlatformRefusal(`The platform did not answer within ${startMs / 1000} s`)
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

/** The port that is wanted, or any; the answers of somebody who listens there already are not the platform's. */
async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    throw new PlatformRefusal(`Port ${wanted} cannot be used: ${(error as Error).message}`)
  })
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}
