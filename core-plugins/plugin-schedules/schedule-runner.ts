import { randomBytes } from 'node:crypto'
import { endsWithin, type Logger, type TenantResolver } from '#kernel'
import { authorText, effectiveLimits, LIMITS, outcomeError, type GuestTenant, type Outcome } from '#sandbox'
import type { LoadedPlugin, PluginRuntime } from '../plugins/contract.ts'
import { ATTEMPTS, type ScheduleQueue } from './schedule-queue.ts'
import type { ScheduleRun } from './schedule-run.ts'
import { mayRun, schedulesOf, type Gates } from './wanted-schedules.ts'

/** Runs of this host at once, and of one plugin: calls of users come first, and a slow plugin leaves room for the others. */
const IN_FLIGHT = 8
const IN_FLIGHT_OF_ONE = 3
/** A run whose sandbox was restarted under it, or that found no room in it, is begun again after so long. */
const AGAIN_SECONDS = 2
/** A plugin that is being upgraded is asked again after so long. */
const GATED_SECONDS = 15
/** A host that stops lets runs end for so long before others repeat them. */
const LAST_MILLISECONDS = 3_000

/** What a runner stands on. */
interface ScheduleRunnerParts {
  readonly queue: ScheduleQueue
  readonly runtime: Gates & Pick<PluginRuntime, 'loaded' | 'call' | 'limits'>
  readonly tenants: TenantResolver
  readonly log: Logger
}

interface Running {
  readonly run: ScheduleRun
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** Runs on this host what is due of the plugins that run here. */
export class ScheduleRunner implements AsyncDisposable {
  readonly #parts: ScheduleRunnerParts
  readonly #runs = new Map<string, Running>()
  #isStopped = false

  constructor(parts: ScheduleRunnerParts) {
    this.#parts = parts
  }

  /** Begins what is due and for which there is room; costs one query, and none where no plugin has schedules. */
  async look(): Promise<void> {
    const plugins = new Map(this.#parts.runtime.loaded().map((plugin) => [plugin.id, plugin]))
    for (const [id, plugin] of plugins) if (schedulesOf(plugin).length === 0) plugins.delete(id)
    if (this.#isStopped || plugins.size === 0) return
    const taken = await this.#parts.queue.take(this.#roomOf(plugins.keys()), IN_FLIGHT - this.#runs.size)
    for (const run of taken) {
      const plugin = plugins.get(run.pluginId)
      if (plugin) this.#begin(plugin, run)
    }
  }

  /** Keeps the runs of this host its own; one that another host has taken over meanwhile is broken off. */
  async renew(): Promise<void> {
    const lost = await this.#parts.queue.renew([...this.#runs.values()].map(({ run }) => run))
    for (const { runId } of lost) this.#runs.get(runId)?.stop.abort()
  }

  /** Takes nothing more; what does not end soon is given back, for another host to repeat it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    const runs = [...this.#runs.values()]
    if (await endsWithin(Promise.all(runs.map(({ ended }) => ended)), LAST_MILLISECONDS)) return
    for (const { stop, run } of this.#runs.values()) {
      stop.abort()
      await this.#parts.queue.giveBack(run, 0)
    }
  }

  #roomOf(pluginIds: Iterable<number>): ReadonlyMap<number, number> {
    const room = new Map([...pluginIds].map((id) => [id, IN_FLIGHT_OF_ONE]))
    for (const { run } of this.#runs.values()) room.set(run.pluginId, (room.get(run.pluginId) ?? 0) - 1)
    return new Map([...room].filter(([, left]) => left > 0))
  }

  #begin(plugin: LoadedPlugin, run: ScheduleRun): void {
    const { log } = this.#parts
    const stop = new AbortController()
    const ended = this.#run(plugin, run, stop.signal)
      // The lease runs out and the run is begun again.
      .catch((error: unknown) => log.error({ err: error, plugin: plugin.release.name }, 'a schedule could not be run'))
      .finally(() => this.#runs.delete(run.runId))
    this.#runs.set(run.runId, { run, stop, ended })
  }

  async #run(plugin: LoadedPlugin, run: ScheduleRun, signal: AbortSignal): Promise<void> {
    const { queue, runtime } = this.#parts
    const gate = runtime.gate(plugin.release.name, run.tenantId)
    if (!gate.open && gate.error.status === 503) return queue.giveBack(run, GATED_SECONDS)
    const tenant = await this.#tenantOf(run)
    if (tenant === 'gone' || !mayRun(plugin, runtime, run.tenantId)) return queue.drop(run)
    const traceId = randomBytes(16).toString('hex')
    const outcome = await this.#call(plugin, run, { tenant, traceId, signal })
    if (outcome === undefined) return queue.drop(run)
    // Somebody else repeats it.
    if (signal.aborted && !outcome.ok) return
    await this.#end(plugin, run, outcome, traceId)
  }

  async #call(
    { release, grants }: LoadedPlugin,
    { schedule: id, scheduledAt, runId, attempt }: ScheduleRun,
    { tenant, ...more }: { tenant: GuestTenant | undefined; traceId: string; signal: AbortSignal },
  ): Promise<Outcome | undefined> {
    const { runtime } = this.#parts
    const schedule = release.manifest.schedules?.find((candidate) => candidate.id === id)
    // Another release has it no more.
    if (!schedule) return undefined
    const limits = effectiveLimits(grants.limits, runtime.limits(release.name))
    const most = runtime.limits(release.name).scheduleWallMs ?? LIMITS.scheduleWallMs.max
    return runtime.call({
      ...{ release, grants, tenant, ...more },
      target: { kind: 'schedule', name: schedule.handler },
      input: JSON.stringify({ id, scheduled_at: scheduledAt.toISOString(), run_id: runId, attempt }),
      wallMs: Math.min(schedule.timeoutMs ?? limits.scheduleWallMs, most),
      cpuMs: limits.jobCpuMs,
    })
  }

  async #end({ release: { name } }: LoadedPlugin, run: ScheduleRun, outcome: Outcome, traceId: string): Promise<void> {
    const { queue, log } = this.#parts
    if (outcome.ok) return queue.finish(run, { outcome: 'succeeded', traceId })
    if (isNotItsFault(outcome) && run.attempt < ATTEMPTS) return queue.giveBack(run, AGAIN_SECONDS)
    const { code, message } = outcomeError(name, outcome)
    const error = outcome.kind === 'threw' ? authorText(outcome.error.message) : message
    log.warn({ plugin: name, schedule: run.schedule, tenant: run.tenantId, code, traceId }, 'a schedule failed')
    await queue.finish(run, { outcome: 'failed', code, error, traceId })
  }

  /** Tenants that are closed or over have no schedules. */
  async #tenantOf({ tenantId }: ScheduleRun): Promise<GuestTenant | 'gone' | undefined> {
    if (tenantId === 0) return undefined
    const tenant = await this.#parts.tenants.byId(tenantId)
    return tenant?.status === 'active' ? { id: tenant.id, code: tenant.code } : 'gone'
  }
}

/** The sandbox was restarted under the run, or had no room for it. */
function isNotItsFault(outcome: Exclude<Outcome, { ok: true }>): boolean {
  if (outcome.kind === 'killed') return outcome.cause !== 'breaker_open' && outcome.cause !== 'quarantined'
  return outcome.kind === 'limit' && (outcome.limit === 'queue' || outcome.limit === 'concurrency')
}
