import { withoutEffect } from '#kernel'
import { randomUUID } from 'node:crypto'
import { RolePools } from './broker/database/role-pools.ts'
import { createGuardedFetch } from './broker/guarded-fetch.ts'
import { KnownSecrets } from './broker/known-secrets.ts'
import { checkLoad } from './check-load.ts'
import { effectiveLimits } from './effective-limits.ts'
import { KnownReleases } from './known-releases.ts'
import { sandboxLimits } from './limits.ts'
import { listenerOf } from './listener-of.ts'
import { Broker } from './broker/broker.ts'
import { createCapabilities } from './broker/providers.ts'
import type { ProviderParts } from './broker/provider.ts'
import { handlerName } from './metering/call-meter.ts'
import { SandboxMetering } from './metering/sandbox-metering.ts'
import { outcomeError, withStack } from './wire/outcome-error.ts'
import { PluginHealth } from './health/plugin-health.ts'
import { toPoolCall } from './pool-call.ts'
import { preparePlugin, type PreparedPlugin } from './prepared-plugin.ts'
import type {
  DeliveredEvent,
  DeliveryOutcome,
  GuestCall,
  HookName,
  Release,
  Sandbox,
  SandboxOptions,
  SandboxServices,
} from './services.ts'
import type { Grants } from './grants.ts'
import { createAuthorView, endOf, type AuthorView } from './source-map/author-view.ts'
import type { Probe } from './health/breaker.ts'
import type { Outcome, SandboxPool } from './wire/call.ts'
import { GuestLog } from './supervisor/guest-log.ts'
import { Meter } from './metering/meter.ts'
import { createSandboxPool } from './supervisor/pool.ts'
import { sandboxTexts } from './texts/texts.ts'

const nullOutcome: Outcome = { ok: true, value: 'null', cpuMs: 0, wallMs: 0, hostCalls: 0 }

/** Starts what third-party code runs in. */
export async function createSandbox(services: SandboxServices, options: SandboxOptions): Promise<Sandbox> {
  await using started = new AsyncDisposableStack()
  const { log, database, rolePassword, environment, breakerNews, releaseWatch } = services
  const meter = new Meter()
  const health = createHealth(services)
  if (breakerNews) started.use(breakerNews.listen((plugin, word) => health.follow(plugin, word)))
  const client = services.client ?? started.use(createGuardedFetch(environment))
  const pools = started.use(
    new RolePools({
      urlFor: (user, password) => database.urlFor(user, password),
      password: rolePassword,
      connections: (plugin) => effectiveLimits(services.limits(plugin)).connections,
      ...{ log, acquireMs: options.acquireMs },
    }),
  )
  const pool = started.use(
    await createSandboxPool({
      log,
      ...options,
      get laneMemoryMb() {
        return effectiveLimits(services.limits('')).laneMemoryMb
      },
      onKill({ plugin, reason, isCertain }) {
        meter.recordKill(plugin, reason)
        if (!isCertain) return
        health.recordKill(plugin)
        releaseWatch?.killed(plugin)
      },
    }),
  )
  const secrets = new KnownSecrets()
  const metering = new SandboxMetering({ meter, pool, health })
  const guestLog = new GuestLog(log, secrets)
  const parts = { services, client, pools, secrets, pool, health, meter, metering, guestLog, options }
  return new RunningSandbox(parts, started.move())
}

function createHealth({ onQuarantine, breakerNews }: SandboxServices): PluginHealth {
  return new PluginHealth(
    (plugin) => onQuarantine(plugin, sandboxTexts.keep('notice.plugin_failed_thrice')),
    (plugin, word) => breakerNews?.tell(plugin, word),
  )
}

interface Parts extends Omit<ProviderParts<SandboxServices>, 'manifest' | 'grants'> {
  readonly pool: SandboxPool
  readonly health: PluginHealth
  readonly meter: Meter
  readonly metering: SandboxMetering
  readonly guestLog: GuestLog
  readonly options: SandboxOptions
}

class RunningSandbox implements Sandbox {
  readonly services: SandboxServices
  readonly metering: SandboxMetering
  readonly #parts: Parts
  readonly #resources: AsyncDisposableStack
  readonly #releases = new KnownReleases()
  readonly #authorView: AuthorView

  constructor(parts: Parts, resources: AsyncDisposableStack) {
    this.services = parts.services
    this.metering = parts.metering
    this.#parts = parts
    this.#authorView = createAuthorView(parts.secrets, parts.options.isForTests)
    this.#resources = resources
  }

  async call(call: GuestCall): Promise<Outcome> {
    const { health, meter, metering, pool, guestLog } = this.#parts
    const { name } = call.release
    const tenantId = call.tenant?.id ?? 0
    using entry = health.enter(name, tenantId)
    if (entry.refusal) return entry.refusal
    const prepared = this.#releases.find(call.release, call.grants) ?? (await this.#prepare(call))
    const begun = performance.now()
    const traceId = call.traceId ?? randomUUID().replaceAll('-', '')
    const usage = meter.open(name, tenantId, call.target)
    this.#releases.taught(call.release, prepared.code.id)
    const poolCall = toPoolCall(prepared, call, guestLog, { traceId, usage })
    const outcome = await pool.call(poolCall)
    this.#judge(call.release, tenantId, outcome, entry.probe)
    usage.end(outcome, performance.now() - begun)
    const { cpuMs, wallMs, hostCalls } = outcome
    const cost = { cpuMs, wallMs, hostCalls }
    const failure = outcome.ok ? undefined : await this.#authorView(call, outcome, poolCall)
    this.services.log.debug(
      { guest: name, target: call.target, tenant: tenantId, ...endOf(call, failure), cost },
      'a plugin was called',
    )
    if (!failure) return outcome
    metering.remember(name, failure, { tenantId, traceId, target: handlerName(call.target) })
    return { ...failure, ...cost }
  }

  async answer(call: GuestCall): Promise<string> {
    const outcome = await this.call(call)
    if (outcome.ok) return outcome.value
    const told = outcomeError(call.release.name, outcome)
    const error = this.#parts.options.tellsCallers ? withStack(told, outcome) : told
    // Whatever a guest does to the world is a host call.
    throw outcome.hostCalls === 0 ? withoutEffect(error) : error
  }

  async deliver(release: Release, grants: Grants, event: DeliveredEvent): Promise<DeliveryOutcome> {
    const { id, type, payload, occurredAt, attempt, tenant, hop, traceId } = event
    const listener = listenerOf(type, grants.subscribe)
    // Nobody listens any more: the event is done with.
    if (listener === undefined) return { delivered: true }
    const outcome = await this.call({
      release,
      grants,
      target: { kind: 'event', name: listener },
      input: JSON.stringify({ id, type, payload, occurredAt, attempt }),
      tenant,
      hop,
      ...(traceId === undefined ? {} : { traceId }),
    })
    if (outcome.ok) return { delivered: true }
    return { delivered: false, retry: outcome.kind !== 'load', error: outcomeError(release.name, outcome) }
  }

  async runHook(release: Release, grants: Grants, hook: HookName, input: unknown): Promise<Outcome> {
    const name = release.manifest.hooks?.[hook]
    if (name === undefined) return nullOutcome
    const target = { kind: 'hook', name } as const
    const { jobCpuMs: cpuMs, ...limits } = effectiveLimits(grants.limits, this.services.limits(release.name))
    const wallMs = limits[hook === 'uninstall' ? 'uninstallHookWallMs' : 'hookWallMs']
    return this.call({ release, grants, target, input: JSON.stringify(input ?? null), wallMs, cpuMs })
  }

  async checkLoad(release: Release): Promise<void> {
    const { pool, services } = this.#parts
    using trial = pool.trial()
    await checkLoad(trial, release, services.log)
  }

  adopt(release: Release): void {
    const { health, pool, pools } = this.#parts
    this.#releases.adopt(release)
    health.reset(release.name)
    pool.warm()
    // Its tables may look different now; statements in progress end on the connections they have.
    pools.renew(release.name)
  }

  async warm(release: Release, grants: Grants): Promise<void> {
    const { meter, pool, guestLog } = this.#parts
    if (!this.#releases.wasCalled(release.name)) return
    const call = { release, grants, target: { kind: 'check', name: 'manifest' }, input: '[]' } as const
    const prepared = await this.#prepare(call)
    this.#releases.taught(release, prepared.code.id)
    const trace = { traceId: randomUUID().replaceAll('-', ''), usage: meter.open(release.name, 0, call.target) }
    await pool.call(toPoolCall(prepared, call, guestLog, trace))
  }

  async retire(release: Release, milliseconds: number): Promise<void> {
    const { pool } = this.#parts
    await this.#releases.retire(release, (code, signal) => pool.drop(code, milliseconds, signal))
  }

  async drain(name: string, milliseconds: number): Promise<void> {
    const { pool, pools, health, secrets } = this.#parts
    await Promise.all(this.#releases.forget(name).map((code) => pool.drop(code, milliseconds)))
    await pools.close(name)
    health.reset(name)
    secrets.forget(name)
  }

  isPaused(name: string): boolean {
    const state = this.#parts.health.state(name)
    return state === 'open' || state === 'quarantined'
  }

  forget(name: string): void {
    const { metering, guestLog, health } = this.#parts
    for (const memory of [metering, guestLog]) memory.forget(name)
    health.reset(name)
  }

  reset(name: string): void {
    this.#parts.health.reset(name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync()
  }

  /** What the last calls of a release that was replaced come to says nothing of the one that runs. */
  #judge(release: Release, tenantId: number, outcome: Outcome, probe: Probe | undefined): void {
    if (this.#releases.isOutdated(release)) {
      // It came late, and may have brought back what was let go of.
      void this.retire(release, sandboxLimits.wallMs.max)
      return
    }
    const sign = this.#parts.health.record(release.name, tenantId, outcome, probe)
    if (sign) this.services.releaseWatch?.called(release, sign)
  }

  async #prepare({ release, grants }: GuestCall): Promise<PreparedPlugin> {
    const operations = createCapabilities({ ...this.#parts, manifest: release.manifest, grants })
    const broker = new Broker(operations, this.services.log)
    const prepared = await preparePlugin(release, grants, broker, this.services)
    this.#releases.keep(prepared)
    return prepared
  }
}
