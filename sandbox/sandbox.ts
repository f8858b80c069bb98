import { randomUUID } from 'node:crypto'
import { RolePools } from './capabilities/database/role-pools.ts'
import { createGuardedFetch } from './capabilities/guarded-fetch.ts'
import { KnownSecrets } from './capabilities/known-secrets.ts'
import { checkLoad } from './check-load.ts'
import { LIMITS } from './limits.ts'
import { listenerOf } from './listener-of.ts'
import { makeBroker, type BrokerParts } from './make-broker.ts'
import { outcomeError } from './outcome-error.ts'
import { PluginHealth } from './plugin-health.ts'
import { preparePlugin, type PreparedPlugin } from './prepared-plugin.ts'
import { RecentFailures } from './recent-failures.ts'
import type {
  DeliveredEvent,
  DeliveryOutcome,
  Grants,
  GuestCall,
  HookName,
  PluginMetrics,
  Release,
  Sandbox,
  SandboxOptions,
  SandboxServices,
} from './services.ts'
import type { BrokeredCall } from './supervisor/broker.ts'
import type { Failure, Outcome, SandboxPool } from './supervisor/call.ts'
import { GuestLog } from './supervisor/guest-log.ts'
import { Meter } from './supervisor/meter.ts'
import { createSandboxPool } from './supervisor/pool.ts'

const NULL_OUTCOME: Outcome = { ok: true, value: 'null', cpuMs: 0, wallMs: 0, hostCalls: 0 }

/** Starts what third-party code runs in. */
export async function createSandbox(services: SandboxServices, options: SandboxOptions): Promise<Sandbox> {
  await using started = new AsyncDisposableStack()
  const { log, database, rolePassword, environment, onQuarantine } = services
  const meter = new Meter()
  const health = new PluginHealth((plugin) => onQuarantine(plugin, 'It failed three times over within an hour'))
  const client = started.use(createGuardedFetch(environment))
  const pools = started.use(
    new RolePools({ urlFor: (user, password) => database.urlFor(user, password), password: rolePassword, log }),
  )
  const pool = started.use(
    await createSandboxPool({
      log,
      ...options,
      onKill({ plugin, reason, isCertain }) {
        meter.recordKill(plugin, reason)
        if (isCertain) health.recordKill(plugin)
      },
    }),
  )
  const secrets = new KnownSecrets()
  const parts = { services, client, pools, secrets, pool, health, meter, guestLog: new GuestLog(log, secrets), options }
  return new RunningSandbox(parts, started.move())
}

interface Parts extends BrokerParts {
  readonly pool: SandboxPool
  readonly health: PluginHealth
  readonly meter: Meter
  readonly guestLog: GuestLog
  readonly options: SandboxOptions
}

class RunningSandbox implements Sandbox {
  readonly services: SandboxServices
  readonly #parts: Parts
  readonly #resources: AsyncDisposableStack
  readonly #prepared = new Map<string, PreparedPlugin>()
  /** Every release of a plugin that was called, for its code to be forgotten. */
  readonly #codes = new Map<string, Set<string>>()
  readonly #failures = new RecentFailures()

  constructor(parts: Parts, resources: AsyncDisposableStack) {
    this.services = parts.services
    this.#parts = parts
    this.#resources = resources
  }

  async call(call: GuestCall): Promise<Outcome> {
    const { health, meter } = this.#parts
    const { name } = call.release
    const refusal = health.refusal(name)
    if (refusal) return refusal
    const prepared = this.#known(call) ?? (await this.#prepare(call))
    const outcome = await this.#enter(prepared, call)
    health.record(name, outcome)
    meter.record(name, String(call.tenant?.id ?? 0), outcome)
    return outcome
  }

  async answer(call: GuestCall): Promise<string> {
    const outcome = await this.call(call)
    if (outcome.ok) return outcome.value
    const error = outcomeError(call.release.name, this.#withoutSecrets(call, outcome))
    this.#failures.add(call.release.name, {
      at: new Date(),
      tenantId: call.tenant?.id ?? 0,
      target: `${call.target.kind} ${call.target.name}`,
      code: error.code,
      message: outcome.kind === 'threw' ? outcome.error.message.slice(0, 200) : error.message,
      traceId: call.traceId,
    })
    throw error
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
    if (name === undefined) return NULL_OUTCOME
    const wall = hook === 'uninstall' ? LIMITS.uninstallHookWallMs : LIMITS.hookWallMs
    const target = { kind: 'hook', name } as const
    const cpuMs = LIMITS.jobCpuMs.default
    return this.call({ release, grants, target, input: JSON.stringify(input ?? null), wallMs: wall.default, cpuMs })
  }

  async checkLoad(release: Release): Promise<void> {
    const { options, services } = this.#parts
    // A host of its own: what a release does at its first load harms nobody.
    const { releases } = options
    await using pool = await createSandboxPool({ log: services.log, releases, lanes: 1, spares: 0, penaltyLanes: 0 })
    await checkLoad(pool, release, services.log)
  }

  async drain(name: string, milliseconds: number): Promise<void> {
    const { pool, pools, health, secrets } = this.#parts
    const codes = this.#codes.get(name) ?? new Set<string>()
    this.#codes.delete(name)
    this.#prepared.delete(name)
    await Promise.all([...codes].map((code) => pool.drop(code, milliseconds)))
    await pools.close(name)
    health.reset(name)
    secrets.forget(name)
  }

  metrics(name: string): PluginMetrics {
    const { health, meter } = this.#parts
    const tenants = meter.usage().flatMap(({ plugin, tenant, ...usage }) => {
      return plugin === name ? [{ tenantId: Number(tenant), ...usage }] : []
    })
    return {
      breaker: health.state(name),
      tenants,
      kills: meter.kills(name),
      recentFailures: this.#failures.list(name),
    }
  }

  forget(name: string): void {
    const { meter, guestLog, health } = this.#parts
    for (const memory of [meter, guestLog, this.#failures]) memory.forget(name)
    health.reset(name)
  }

  reset(name: string): void {
    this.#parts.health.reset(name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync()
  }

  /** What a guest throws reaches the log with its stack: a secret of its configuration must not. */
  #withoutSecrets({ release, tenant }: GuestCall, failure: Failure): Failure {
    if (failure.kind !== 'threw') return failure
    const mask = (text: string): string => this.#parts.secrets.mask(release.name, tenant?.id ?? 0, text)
    const { stack, ...error } = failure.error
    const masked = { ...error, message: mask(error.message), ...(stack === undefined ? {} : { stack: mask(stack) }) }
    return { ...failure, error: masked }
  }

  #known({ release, grants }: GuestCall): PreparedPlugin | undefined {
    const prepared = this.#prepared.get(release.name)
    return prepared?.grants === grants && prepared.release === release ? prepared : undefined
  }

  async #prepare({ release, grants }: GuestCall): Promise<PreparedPlugin> {
    const make = (): ReturnType<typeof makeBroker> => makeBroker(this.#parts, release, grants)
    const prepared = await preparePlugin(release, grants, make, this.services.limits)
    this.#prepared.set(release.name, prepared)
    this.#codes.set(release.name, (this.#codes.get(release.name) ?? new Set<string>()).add(prepared.code.id))
    return prepared
  }

  #enter(prepared: PreparedPlugin, call: GuestCall): Promise<Outcome> {
    const { pool, guestLog } = this.#parts
    const { limits, broker, code, release } = prepared
    const tenantId = call.tenant?.id ?? 0
    const capabilities = prepared.capabilitiesFor(tenantId)
    const asked = call.wallMs ?? limits.wallMs
    // Hooks and other jobs bring their own bounds; a route may only ask for less.
    const wallMs = call.cpuMs === undefined ? Math.min(asked, limits.wallMs) : asked
    const traceId = call.traceId ?? randomUUID()
    const brokered: BrokeredCall = {
      plugin: release.name,
      tenantId,
      limits,
      hop: call.hop ?? 0,
      traceId,
      capabilities: capabilities.set,
      get signal() {
        return call.signal
      },
      count: createCounter(),
    }
    return pool.call({
      code,
      tenant: String(tenantId),
      target: call.target,
      input: call.input,
      ctx: prepared.presentContext(call, capabilities.json, wallMs),
      limits: {
        cpuMs: call.cpuMs ?? limits.cpuMs,
        wallMs,
        hostCalls: limits.hostCalls,
        hostCallsInFlight: limits.hostCallsInFlight,
        logLines: limits.logLines,
        responseBytes: limits.responseBytes,
        concurrency: limits.concurrency,
        tenantConcurrency: limits.tenantConcurrency,
        queue: limits.queue,
      },
      host: broker.forCall(brokered),
      onLog: guestLog.forCall(brokered),
    })
  }
}

function createCounter(): (what: string) => number {
  const counts: Record<string, number> = {}
  return (what) => (counts[what] = (counts[what] ?? 0) + 1)
}
