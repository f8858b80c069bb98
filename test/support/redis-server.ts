import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** A Redis of a test's own, which may be stopped. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Freezes it, or lets it go on: it accepts connections and says nothing. */
  freeze(isFrozen: boolean): void
  /** Ends it at once. */
  kill(): Promise<void>
  /** Starts it again, at the same place. */
  start(): Promise<void>
}

/** Starts `redis-server` on a free port of loopback; it keeps nothing on disk. */
export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    child = spawn('redis-server', options, { stdio: 'ignore' })
    await until(() => listens(port))
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: (isFrozen) => void child?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    kill,
    start,
    [Symbol.asyncDispose]: kill,
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
