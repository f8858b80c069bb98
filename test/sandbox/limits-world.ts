import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createGuardedFetch, type AppError, type Logger } from '#kernel'
import { sandboxLimits, outcomeError, type EffectiveLimits, type HookName, type Release } from '#sandbox'
import { createMemoryObjects } from '../../sandbox/broker/storage/memory-objects.ts'
import { startHttpWorld } from '../support/http-world.ts'
import { silentLog } from '../support/kernel.ts'
import { startDatabasePlugin, type DatabasePlugin } from './capabilities-database-plugin.ts'
import { grantsFor, startPluginWorld, type PluginWorld } from './plugin-world.ts'

/** A plugin with every capability in a real isolate, whose limits a test sets. */
export interface LimitsWorld extends AsyncDisposable {
  readonly database: DatabasePlugin
  readonly world: PluginWorld
  /** The most requests of guests for the configuration that were open at once. */
  readonly mostAtOnce: () => number
  /** Bytes of the lines that guests logged since the limits were set. */
  readonly logged: () => readonly number[]
  /** What holds from the next call on. */
  set(limits: Partial<EffectiveLimits>): void
  /** The value of a handler, or what its caller is told. */
  call(handler: string, options?: { readonly tenant?: number; readonly hop?: number }): Promise<unknown>
  hook(hook: HookName): Promise<unknown>
}

/** The plugin of the test. */
export interface LimitsWorldOptions {
  /** Its handlers as source texts by name, hooks among them; they reach a server that answers and one that never says a word. */
  readonly guests: (port: number, silentPort: number) => Readonly<Record<string, string>>
  readonly hooks: Partial<Record<HookName, string>>
}

/** Starts it: a sandbox host, a database with tables of `acme.notes`, and a server on loopback. */
export async function startLimitsWorld({ guests, hooks }: LimitsWorldOptions): Promise<LimitsWorld> {
  await using started = new AsyncDisposableStack()
  const http = started.use(await startHttpWorld())
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  started.defer(() => void silent.close())
  const ports = [http.port, (silent.address() as AddressInfo).port] as const
  const database = started.use(await startDatabasePlugin())
  // What the role has from its making, shorter.
  await database.knex.raw('alter role ?? set statement_timeout = 200', [new URL(database.roleUrl).username])
  const limits: { current: Partial<EffectiveLimits> } = { current: {} }
  const open = { now: 0, most: 0 }
  let logged: number[] = []
  const log: Logger = {
    ...silentLog,
    info: (fields, message) => {
      const { message: line } = fields as { message?: string }
      if (message === 'a plugin logged') logged.push(Buffer.byteLength(line ?? ''))
    },
  }
  const client = started.use(
    createGuardedFetch({
      egressAllowPrivate: new Set(ports.map((port) => `api.example.test:${port}`)),
      dnsServers: [http.dns.address],
      // The rest as in production.
      limits: { connectMs: 300, decodeRatio: sandboxLimits.httpDecodeRatio.max },
    }),
  )
  const world = started.use(
    await startPluginWorld(
      {},
      {
        client,
        log,
        limits: () => limits.current,
        storage: createMemoryObjects(),
        rolePassword: () => new URL(database.roleUrl).password,
        database: { urlFor: (user, password) => withLogin(database.roleUrl, user, password) },
        config: async () => {
          open.most = Math.max(open.most, ++open.now)
          await new Promise((resolve) => setTimeout(resolve, 20))
          open.now--
          return {}
        },
      },
      // Far from the time of a transaction, which may hold the connection.
      { acquireMs: 2_000 },
    ),
  )
  const release = await world.release(
    {
      capabilities: ['http', 'storage', 'db:own_tables', 'events', 'config'],
      http: { hosts: [{ host: 'api.example.test', ports, methods: ['GET'], reason: 'For the test.' }] },
      events: { publish: ['acme.notes.done'] },
      db: { tables: ['notes', 'lines', 'times'] },
      hooks,
    },
    sourceOf(guests(...ports)),
  )
  const grants = grantsFor(release)
  const stack = started.move()
  return {
    ...{ database, world },
    mostAtOnce: () => open.most,
    logged: () => logged,
    set(given) {
      limits.current = { ...given }
      logged = []
      // What one test did to the plugin says nothing of the next.
      world.sandbox.reset(release.name)
    },
    call: (handler, { tenant = 1, hop = 0 } = {}) =>
      world.sandbox
        .answer({
          ...{ release, grants, hop, input: '{}' },
          target: { kind: 'handler', name: handler },
          tenant: { id: tenant, code: `t${tenant}` },
        })
        .then((text) => JSON.parse(text) as unknown, told),
    async hook(hook) {
      const outcome = await world.sandbox.runHook(release, grants, hook, null)
      return outcome.ok ? outcome.value : told(outcomeError(release.name, outcome))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** A release that takes what its handler asks for, in a sandbox host of little memory. */
export async function releaseOf(world: PluginWorld, guest: string): Promise<Release> {
  return world.release({}, sourceOf({ run: guest }))
}

/** Code, reason and limit of a refusal. */
export function told(error: AppError): string {
  const { limit } = (error.details ?? {}) as { readonly limit?: string }
  return `${error.code} ${error.reason} ${limit ?? ''}`.trim()
}

function sourceOf(guests: Readonly<Record<string, string>>): string {
  // A refusal that the guest catches is told like one that its caller is told of.
  const refused = 'const told = (error) => `${error.code} ${error.details?.reason}`'
  const handlers = Object.entries(guests).map(([name, guest]) => `${name}: ${guest}`)
  return `${refused}\nexport default { handlers: { ${handlers.join(',\n')} } }`
}

function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url)
  changed.username = user
  changed.password = password
  return changed.href
}
