import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { virus } from './clamd.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const program = '/usr/sbin/clamd'
/** On a busy machine. */
const startMs = 60_000

/** The virus scanner of the distribution, which knows the one virus of the tests. */
interface RealClamd extends AsyncDisposable {
  readonly port: number
}

/** Starts it on loopback; longer streams than a megabyte are refused. */
export async function startRealClamd(): Promise<RealClamd> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-clamd-'))
  const port = await freePort()
  const signature = Buffer.from(virus).toString('hex')
  await writeFile(path.join(folder, 'test.ndb'), `Test.Virus-1:0:*:${signature}\n`)
  const settings = {
    ...{ TCPSocket: port, TCPAddr: '127.0.0.1', Foreground: 'yes', StreamMaxLength: '1M' },
    ...{ DatabaseDirectory: folder, TemporaryDirectory: folder, LogFile: path.join(folder, 'log') },
  }
  const config = path.join(folder, 'clamd.conf')
  await writeFile(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  )
  const child = spawn(program, [`--config-file=${config}`], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const clamd: RealClamd = {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await until(() => isListening(port), startMs)
    return clamd
  } catch (error) {
    await clamd[Symbol.asyncDispose]()
    throw error
  }
}

/** Declares a test of it where it is installed. */
export function itOnClamd(title: string, test: () => Promise<void>): Mocha.Test | undefined {
  try {
    accessSync(program, constants.X_OK)
  } catch {
    return undefined
  }
  return it(title, test)
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  const answers = once(socket, 'connect').then(
    () => true,
    () => false,
  )
  return answers.finally(() => socket.destroy())
}
