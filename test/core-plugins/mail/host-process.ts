import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { childEnv } from '../../support/child-env.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog, type TestKernelOptions } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { smtpAllowance } from '../../support/smtp-server.ts'
import { mailPlugins } from './world.ts'

/** A database and the keys to it, for several hosts. */
export interface SharedHome extends AsyncDisposable {
  readonly options: Partial<TestKernelOptions>
  /** Starts a host that sends one message to somebody, in its own process. */
  spawnHost(to: string, env?: Readonly<Record<string, string>>): HostProcess
}

/** A host in a process of its own. */
export interface HostProcess extends AsyncDisposable {
  /** SIGKILL, as a crash; resolves when it is gone. */
  kill(): Promise<void>
}

/** Makes what hosts share. */
export async function createSharedHome(): Promise<SharedHome> {
  const database = await createTestDatabase(migratedFor(mailPlugins, silentLog))
  const secrets = {
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const namespace = randomUUID()
  const shared = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    NAMESPACE: namespace,
    EGRESS_ALLOW_PRIVATE: smtpAllowance,
    ...secrets,
  }
  const redisUrl = process.env['STOA_TEST_REDIS_URL']
  return {
    options: { databaseUrl: database.url, namespace, env: secrets },
    spawnHost: (to, env = {}) => spawnHost(to, { ...shared, ...(redisUrl && { REDIS_URL: redisUrl }), ...env }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

function spawnHost(to: string, env: Readonly<Record<string, string>>): HostProcess {
  const script = path.join(import.meta.dirname, 'host.ts')
  const child = spawn(process.execPath, [script, to], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { kill, [Symbol.asyncDispose]: kill }
}
