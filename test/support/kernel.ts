import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Dispatcher } from 'undici'
import { generateFernetKey, readEnvironment, startKernel, type Kernel, type Logger, type Plugin } from '#kernel'
import { Api, type Answer, type CallOptions } from './api.ts'
import { createTestDatabase, testRedisUrl } from './cluster.ts'
import { migratedFor } from './migrated.ts'

/** What a test starts a kernel with. */
export interface TestKernelOptions {
  readonly plugins: readonly Plugin[]
  /** Environment variables over the test's own. */
  readonly env?: Readonly<Record<string, string>>
  /** Connections to the database at most; 1 finds a query that forgot its transaction. */
  readonly poolSize?: number
  /** A database to share with another kernel; a new one unless said otherwise. */
  readonly databaseUrl?: string
  /** The namespace in Redis to share with another kernel; a new one unless said otherwise. */
  readonly namespace?: string
  readonly log?: Logger
  /** When the schemas of routes are compiled. */
  readonly compileSchemas?: 'lazily' | 'at-once'
  /** Starts it; that of a copy of the kernel, where one was changed. */
  readonly start?: typeof startKernel
  /** How long the start waits for one thing. */
  readonly startMilliseconds?: number
}

/** A running kernel with a database of its own. */
export interface TestKernel extends AsyncDisposable {
  readonly kernel: Kernel
  readonly url: string
  readonly api: Api
  readonly databaseUrl: string
  readonly dataDir: string
  readonly namespace: string
  request(method: Dispatcher.HttpMethod, path: string, options?: CallOptions): Promise<Answer>
}

/** A logger that says nothing. */
export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
}

/** Starts a kernel with these plugins on a free port; every response is checked against its route's schema. */
export async function startTestKernel(options: TestKernelOptions): Promise<TestKernel> {
  await using started = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-test-'))
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  const databaseUrl =
    options.databaseUrl ?? started.use(await createTestDatabase(migratedFor(options.plugins, silentLog))).url
  const namespace = options.namespace ?? randomUUID()
  const start = options.start ?? startKernel
  const kernel = await start({
    // Any free port, which no operator may ask for.
    env: { ...readEnvironment(variables(dataDir, databaseUrl, options.env)), port: 0 },
    plugins: options.plugins,
    log: options.log ?? silentLog,
    namespace,
    checkResponses: true,
    ...(options.compileSchemas !== undefined && { compileSchemas: options.compileSchemas }),
    ...(options.poolSize !== undefined && { poolSize: options.poolSize }),
    ...(options.startMilliseconds !== undefined && { startMilliseconds: options.startMilliseconds }),
  })
  started.use(kernel)
  const api = new Api(kernel.url)
  const resources = started.move()
  return {
    kernel,
    url: kernel.url,
    api,
    databaseUrl,
    dataDir,
    namespace,
    request: (method, target, call) => api.call(method, target, call),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Fails unless enabling and disabling a plugin leaves the kernel exactly as it was. */
export async function assertLeavesNothing(kernel: Kernel, plugin: Plugin): Promise<void> {
  const before = kernel.registered()
  await kernel.enable(plugin)
  await kernel.disable(plugin.name)
  assert.deepEqual(kernel.registered(), before)
}

function variables(
  dataDir: string,
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
    STOA_DEMO: '0',
    ...more,
  }
}
