import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { request } from 'undici'
import { childEnv } from './child-env.ts'
import { freePort } from './free-port.ts'

/** The checkout under test. */
export const checkout = path.join(import.meta.dirname, '..', '..')

/** A host started as its operator starts it. */
export interface HostProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Everything it printed so far. */
  output(): string
  /** SIGTERM; the exit code once it has ended. */
  stop(): Promise<number | null>
  /** SIGKILL, as a crash. */
  kill(): Promise<void>
}

/** Starts `npm start`'s program in its own process and waits until it is healthy. */
export async function startHostProcess(options: {
  dataDir: string
  env?: Readonly<Record<string, string>>
  port?: number
  /** Options of Node for the launcher. */
  nodeOptions?: readonly string[]
}): Promise<HostProcess> {
  const port = options.port ?? (await freePort())
  const entry = path.join(checkout, 'core-plugins', 'start.js')
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), entry], {
    env: { ...childEnv, PORT: String(port), DATA_DIR: options.dataDir, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const url = `http://127.0.0.1:${port}`
  try {
    await untilHealthy(url, () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the host ended: ${output}`)
      // Said once it listens: who answers before that is somebody else on its port.
      return output.includes('Stoa answers at')
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${String(error)}\n${output}`, { cause: error })
  }

  async function stop(): Promise<number | null> {
    child.kill('SIGTERM')
    return (await ended)[0]
  }

  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    stop,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop()
    },
  }
}

/** A machine that is busy tenfold starts the platform, its database and its sandbox hosts in this time. */
const patienceMs = 150_000

async function untilHealthy(url: string, isListening: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (Date.now() < deadline) {
    if (isListening()) {
      const { statusCode, body } = await request(`${url}/api/public/health`)
      await body.dump()
      if (statusCode === 200) return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${url} did not become healthy`)
}
