import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { childEnv } from '../../support/child-env.ts'
import { descendants, isAlive } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import { clusterSecrets } from '../plugins/cluster-world.ts'
import type { Trap } from './trap.ts'

/** Who administers the platform of these tests. */
export const credentials = { email: 'admin@stoa.test', password: 'a long enough passphrase' }

/** A platform's host in a process of its own that may be told when to die. */
export interface MortalHost extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** Resolves when the process and its sandboxes are gone. */
  readonly ended: Promise<void>
  output(): string
  /** Is halted at these moments, and forgets all others. */
  set(...traps: readonly Trap[]): Promise<void>
  /** Resolves once it is held at a moment of this plugin. */
  held(plugin: string): Promise<void>
  kill(): Promise<void>
}

/** Where a host keeps what it shares with the others. */
export interface Place {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly redisUrl?: string | undefined
  readonly namespace: string
  readonly env: Readonly<Record<string, string>>
  /** Whether it makes the administrator. */
  readonly isFirst: boolean
}

/** Starts a host and waits until it listens. */
export async function startMortalHost({
  databaseUrl,
  dataDir,
  redisUrl,
  namespace,
  env,
  isFirst,
}: Place): Promise<MortalHost> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'host.ts')], {
    env: {
      ...{ ...childEnv, NODE_ENV: 'test', HOST: '127.0.0.1', STOA_DEMO: '0', LOG_LEVEL: 'warn' },
      ...{ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, NAMESPACE: namespace, ...clusterSecrets },
      ...(isFirst && { ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password }),
      ...{ ...(redisUrl !== undefined && { REDIS_URL: redisUrl }), ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const pid = child.pid ?? 0
  const below = new Set<number>()
  const ended = once(child, 'exit').then(() => until(() => ![...below].some(isAlive)))
  let output = ''
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the host has no output')
  stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const url = await new Promise<string>((resolve, reject) => {
    stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /listening at (\S+)\n/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the host ended: ${output}`)))
  })
  const kill = async (): Promise<void> => {
    for (const one of descendants(pid)) below.add(one)
    child.kill('SIGKILL')
    await ended
  }
  const reached = new Set<unknown>()
  child.on('message', (message: 'set' | { readonly reached: string }) => {
    if (message !== 'set') reached.add(message.reached)
  })
  return {
    ...{ url, pid, dataDir, ended, kill, output: () => output, [Symbol.asyncDispose]: kill },
    async set(...traps) {
      const isSet = once(child, 'message')
      child.send(traps)
      await isSet
    },
    held: (plugin) =>
      until(() => reached.has(plugin), 60_000).catch(() => {
        throw new Error(`the host does not come to the moment of ${plugin}: ${output}`)
      }),
  }
}
