import { randomBytes } from 'node:crypto'
import { sayError, type Logger, type TenantResolver } from '#kernel'
import {
  authorText,
  effectiveLimits,
  sandboxLimits,
  outcomeError,
  toldOf,
  type GuestTenant,
  type Outcome,
} from '#sandbox'
import type { Again, JobKind, RunningJob } from '../jobs/contract.ts'
import type { LoadedPlugin, PluginRuntime } from '../plugins/contract.ts'
import { runKind, type RunPayload } from './schedule-jobs.ts'
import type { RunEnd, ScheduleRun } from './schedule-run.ts'
import { attempts, type ScheduleRuns } from './schedule-runs.ts'
import { mayRun, type Gates } from './wanted-schedules.ts'

/** Runs of this host at once, and of one plugin: calls of users come first, and a slow plugin leaves room for the others. */
const inFlight = 8
const inFlightOfOne = 3
/** A run whose sandbox was restarted under it, or that found no room in it, is begun again after so long. */
const againMs = 2_000
/** A plugin that is being upgraded is asked again after so long. */
const gatedMs = 15_000

type FailedOutcome = Exclude<Outcome, { ok: true }>

/** What a runner stands on. */
interface ScheduleRunnerParts {
  readonly runs: ScheduleRuns
  readonly runtime: Gates & Pick<PluginRuntime, 'loaded' | 'call' | 'limits'>
  readonly tenants: TenantResolver
  readonly log: Logger
}

/** Runs on this host what is due of the plugins that run here. */
export class ScheduleRunner {
  readonly #parts: ScheduleRunnerParts

  constructor(parts: ScheduleRunnerParts) {
    this.#parts = parts
  }

  /** What the queue of jobs does of it: each job one look at a schedule of one tenant, on a host where the plugin runs. */
  get kind(): JobKind<RunPayload> {
    return {
      ...{ kind: runKind, keepSeconds: 0, keepDeadSeconds: 0, concurrency: inFlight },
      // How often a run is begun is counted with the run.
      ...{ attempts: Infinity, backoff: (attempt) => Math.min(2 ** Math.min(attempt, 6), 60) * 1_000 },
      groups: () => new Map(this.#parts.runtime.loaded().map(({ id }) => [String(id), inFlightOfOne])),
      onLost: (job, trx) => this.#parts.runs.lose(trx, job),
      run: (job) => this.#look(job),
    }
  }

  async #look(job: RunningJob<RunPayload>): Promise<Again | undefined> {
    const { runs, runtime } = this.#parts
    const plugin = runtime.loaded().find(({ id }) => id === job.payload.pluginId)
    const gate = plugin && runtime.gate(plugin.release.name, job.tenantId)
    if (!plugin || (gate && !gate.open && gate.error.status === 503)) return { againIn: gatedMs }
    const run = await runs.begin(job)
    if (run === 'nothing') return undefined
    return run === 'later' ? { againIn: gatedMs } : this.#run(plugin, run, job)
  }

  async #run(plugin: LoadedPlugin, run: ScheduleRun, job: RunningJob<RunPayload>): Promise<Again | undefined> {
    const { runs, runtime } = this.#parts
    const tenant = await this.#tenantOf(run)
    const traceId = randomBytes(16).toString('hex')
    const isWanted = tenant !== 'gone' && mayRun(plugin, runtime, run.tenantId)
    const call = isWanted ? this.#call(plugin, run, { tenant, traceId, signal: job.signal }) : undefined
    const outcome = await endOf(call, job.signal)
    if (outcome === undefined) {
      await runs.drop(job)
      return undefined
    }
    if (outcome.ok) {
      await runs.finish(job, run, { outcome: 'succeeded', traceId })
      return undefined
    }
    if (isNotItsFault(outcome) && run.attempt < attempts) return { againIn: againMs }
    await runs.finish(job, run, { ...this.#failureOf(plugin, run, outcome, traceId), traceId })
    return undefined
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
    const most = runtime.limits(release.name).scheduleWallMs ?? sandboxLimits.scheduleWallMs.max
    return runtime.call({
      ...{ release, grants, tenant, ...more },
      target: { kind: 'schedule', name: schedule.handler },
      input: JSON.stringify({ id, scheduled_at: scheduledAt.toISOString(), run_id: runId, attempt }),
      wallMs: Math.min(schedule.timeoutMs ?? limits.scheduleWallMs, most),
      cpuMs: limits.jobCpuMs,
    })
  }

  #failureOf({ release: { name } }: LoadedPlugin, run: ScheduleRun, outcome: FailedOutcome, traceId: string): RunEnd {
    const error = outcomeError(name, outcome)
    const { code } = error
    this.#parts.log.warn(
      { plugin: name, schedule: run.schedule, tenant: run.tenantId, code, traceId },
      'a schedule failed',
    )
    const said =
      outcome.kind === 'threw' ? { words: authorText(outcome.error.message) } : (toldOf(outcome) ?? sayError(error))
    return { outcome: 'failed', code, error: said }
  }

  /** Tenants that are closed or over have no schedules. */
  async #tenantOf({ tenantId }: ScheduleRun): Promise<GuestTenant | 'gone' | undefined> {
    if (tenantId === 0) return undefined
    const tenant = await this.#parts.tenants.byId(tenantId)
    return tenant?.status === 'active' ? { id: tenant.id, code: tenant.code } : 'gone'
  }
}

/** Rejects once nobody wants the run any more, or somebody else repeats it; what the guest is at ends at its own limit. */
async function endOf(
  call: Promise<Outcome | undefined> | undefined,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const aborted = Promise.withResolvers<undefined>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([call, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The sandbox was restarted under the run, or had no room for it. */
function isNotItsFault(outcome: FailedOutcome): boolean {
  if (outcome.kind === 'killed') return outcome.cause !== 'breaker_open' && outcome.cause !== 'quarantined'
  return outcome.kind === 'limit' && (outcome.limit === 'queue' || outcome.limit === 'concurrency')
}
