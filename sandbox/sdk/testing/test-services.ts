import { createMemoryCache, MemoryRateLimiter, type Logger } from '#kernel'
import type { PluginManifest } from '../../manifest/plugin-manifest.ts'
import type { EffectiveLimits, SandboxServices } from '../../services.ts'
import type { TestEvent, TestNotification, TestOptions } from './contract.ts'
import { createMemoryObjects } from './memory-objects.ts'

/** What a test's services are made of. */
export interface TestSurroundings {
  readonly config: Readonly<Record<string, unknown>>
  readonly limits: Partial<EffectiveLimits>
  readonly log: Logger
  readonly published: TestEvent[]
  readonly notified: TestNotification[]
  readonly options: TestOptions
  readonly database: SandboxServices['database']
  readonly password: string
}

/** The surroundings of a plugin under test: real where they need no server, recorded where they lead outside. */
export function createTestServices(surroundings: TestSurroundings): SandboxServices {
  const { config, limits, log, published, notified, options, database, password } = surroundings
  return {
    gate: () => ({ open: true }),
    storage: createMemoryObjects(),
    config: () => Promise.resolve(config),
    publish: ({ type, payload, tenantId }) => Promise.resolve(void published.push({ type, payload, tenantId })),
    database,
    rolePassword: () => password,
    cache: createMemoryCache(),
    limiter: new MemoryRateLimiter(),
    log,
    environment: { egressAllowPrivate: new Set(), dnsServers: [] },
    limits: () => limits,
    onQuarantine: () => undefined,
    notify: ({ tenantId, userId, title, body, level, link }) =>
      Promise.resolve(`notification-${notified.push({ tenantId, userId, title, body, level, link })}`),
    users: createTestUsers(options.users ?? []),
    invokeAi: ({ request }) => options.ai && Promise.resolve(options.ai(request)),
    license: () => options.license ?? { state: 'none', features: [], expiresAt: null },
  }
}

/** Answers as the platform does, from a list. */
function createTestUsers(given: NonNullable<TestOptions['users']>): SandboxServices['users'] {
  const all = [...given].sort((left, right) => left.id - right.id)
  return {
    find: (_, id) => Promise.resolve(all.find((user) => user.id === id)),
    list(_, { q = '', ids, after = 0, limit }) {
      const isLike = (text: string | null): boolean => text?.toLowerCase().includes(q.toLowerCase()) ?? false
      const found = all.filter(({ id, nickname, account }) => {
        return id > after && (ids?.includes(id) ?? true) && (isLike(nickname) || isLike(account))
      })
      return Promise.resolve(found.slice(0, limit))
    },
  }
}

/** The manifest's defaults under the values given; a value for what the manifest does not have is a mistake of the test. */
export function testConfig(
  { name, config = [] }: PluginManifest,
  { config: given = {} }: TestOptions,
): Readonly<Record<string, unknown>> {
  const stranger = Object.keys(given).find((key) => !config.some((item) => item.key === key))
  if (stranger !== undefined) throw new Error(`The manifest of ${name} has no configuration item ${stranger}`)
  const defaults = config.flatMap((item) => (item.default === undefined ? [] : [[item.key, item.default] as const]))
  return { ...Object.fromEntries(defaults), ...given }
}
