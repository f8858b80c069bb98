import type { Answer, Body } from '../../support/api.ts'
import { startFakeDns, type FakeDns } from '../../support/fake-dns.ts'
import type { Plugin } from '#kernel'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { tenantsDomainFailed } from '../../../core-plugins/tenants/contract.ts'
import tenants from '../../../core-plugins/tenants/index.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import type { TestKernelOptions } from '../../support/kernel.ts'

/** A platform that asks a name server of the test about domains. */
export interface DomainWorld extends AsyncDisposable {
  readonly platform: TestPlatform
  readonly dns: FakeDns
  /** `TXT name` or `A name` → what the name server answers; `undefined` leaves it silent. */
  readonly zone: Map<string, readonly string[] | undefined>
  /** `status domain` of every domain that a tenant lost. */
  readonly losses: readonly string[]
  /** Does at once what the platform does each so many seconds. */
  poll(): Promise<void>
  /** What anybody is told about a domain of a tenant. */
  ask(tenant: TestTenant, domain: string, headers?: Record<string, string>): Promise<Answer>
  bind(tenant: TestTenant, domain: string): Promise<Answer>
  verify(tenant: TestTenant, id: unknown): Promise<Answer>
  /** Puts the proof of a tenant into the zone, beside what stands there. */
  prove(tenant: TestTenant, domain: string): Promise<void>
  /** Puts a domain's times so many milliseconds back. */
  age(domain: string, milliseconds: number): Promise<void>
  /** What the tenant sees of its domains. */
  list(tenant: TestTenant): Promise<readonly Body[]>
}

const moments = ['checked_at', 'asked_at', 'demanded_at', 'next_check_at', 'lost_at', 'created_at']

/** Starts it. */
export async function startDomainWorld(options: Partial<TestKernelOptions> = {}): Promise<DomainWorld> {
  await using started = new AsyncDisposableStack()
  const zone = new Map<string, readonly string[] | undefined>()
  const dns = started.use(
    await startFakeDns((name, type) => (zone.has(`${type} ${name}`) ? zone.get(`${type} ${name}`) : [])),
  )
  const losses: string[] = []
  const polls: (() => void | Promise<void>)[] = []
  const plugins = identityPlugins.map((plugin) => (plugin === tenants ? withoutTimers(polls, losses) : plugin))
  const env = { DNS_SERVERS: dns.address, ...options.env }
  const platform = started.use(await startTestPlatform({ plugins, ...options, env }))
  const { api, kernel } = platform.test
  const queue = kernel.services.get(jobs)
  // The clock is in the hands of the test.
  await queue.unschedule(kernel.database.knex, 'domains')
  const ask: DomainWorld['ask'] = ({ host }, domain, headers = {}) =>
    api.get(`/api/public/tenant/domain-verification?domain=${encodeURIComponent(domain)}`, { host, headers })
  const resources = started.move()
  return {
    platform,
    dns,
    zone,
    losses,
    async poll() {
      for (const work of polls) await work()
      await kernel.database.knex.transaction((trx) => queue.enqueue(trx, 'tenants.domains_poll', {}))
      for (const kind of ['tenants.domains_poll', 'tenants.domain_check']) await queue.settle(kind, 30_000)
    },
    ask,
    bind: ({ owner }, domain) => owner.post('/tenant/domains', { domain }),
    verify: ({ owner }, id) => owner.post(`/tenant/domains/${textOf(id)}/verify`),
    async prove(tenant, domain) {
      const { txt_name: name, txt_value: value } = (await ask(tenant, domain)).body['data'] as Body
      const key = `TXT ${textOf(name)}`
      zone.set(key, [...(zone.get(key) ?? []), textOf(value)])
    },
    async age(domain, milliseconds) {
      const { knex } = kernel.database
      const moved = moments.map((name) => [
        name,
        knex.raw(`?? - make_interval(secs => ?)`, [name, milliseconds / 1000]),
      ])
      await knex('tenant_domains')
        .queryContext({ tenant: 'all' })
        .where({ domain })
        .update(Object.fromEntries(moved) as object)
    },
    async list({ owner }) {
      return (await owner.get('/tenant/domains')).body['data']?.['items'] as unknown as readonly Body[]
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The plugin with the clock in the hands of the test. */
function withoutTimers(polls: (() => void | Promise<void>)[], losses: string[]): Plugin {
  return {
    ...tenants,
    setup(scope, needs) {
      scope.on(tenantsDomainFailed, ({ domain, status }) => void losses.push(`${status} ${domain}`))
      return tenants.setup({ ...scope, every: (_, work) => void polls.push(work) }, needs)
    },
  }
}

/** A number or text of an answer as text. */
export function textOf(value: unknown): string {
  return `${value as string}`
}
