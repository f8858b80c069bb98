import { sayError, type Logger, type Said, type TenantResolver } from '#kernel'
import {
  authorText,
  effectiveLimits,
  outcomeError,
  toldOf,
  readStepEnd,
  type GuestTenant,
  type Outcome,
  type StepEnd,
} from '#sandbox'
import type { Knex } from 'knex'
import type { Again, JobKind, LostJob, RunningJob } from '../jobs/contract.ts'
import type { LoadedPlugin, PluginRuntime } from '../plugins/contract.ts'
import { stepKind, type JobRow, type StepPayload } from './job-row.ts'
import { StepLedger } from './step-ledger.ts'
import { texts } from './texts/texts.ts'

/** Steps of this host at once, and of one plugin: calls of users come first, and a slow plugin leaves room for the others. */
const inFlight = 8
const inFlightOfOne = 2
const againMs = 2_000
const gatedMs = 15_000
/** A plugin that does not run for the tenant is asked again so often, and for so long. */
const closedMs = 60_000
const mostClosedMs = 7 * 24 * 60 * 60 * 1_000
const attempts = 5
const minuteMs = 60_000

type FailedOutcome = Exclude<Outcome, { ok: true }>

/** What a runner stands on. */
interface JobRunnerParts {
  readonly db: Knex
  readonly runtime: Pick<PluginRuntime, 'loaded' | 'gate' | 'deniedFor' | 'call' | 'limits'>
  readonly tenants: TenantResolver
  readonly log: Logger
}

/** Does on this host the steps of jobs of the plugins that run here. */
export class JobRunner {
  readonly #parts: JobRunnerParts
  readonly #ledger: StepLedger

  constructor(parts: JobRunnerParts) {
    this.#parts = parts
    this.#ledger = new StepLedger(parts.db)
  }

  /** What the queue of jobs does of it: one step at a time, on a host where the plugin runs. */
  get kind(): JobKind<StepPayload> {
    return {
      ...{ kind: stepKind, keepSeconds: 0, keepDeadSeconds: 0, concurrency: inFlight },
      // How often a step is begun is counted with the job.
      ...{ attempts: Infinity, backoff: (attempt) => Math.min(2 ** Math.min(attempt, 6), 60) * 1_000 },
      groups: () => new Map(this.#parts.runtime.loaded().map(({ id }) => [String(id), inFlightOfOne])),
      onLost: (job, trx) => this.#lose(job, trx),
      run: (job) => this.#run(job),
    }
  }

  async #run(job: RunningJob<StepPayload>): Promise<Again | undefined> {
    const { runtime } = this.#parts
    const plugin = runtime.loaded().find(({ id }) => id === job.payload.pluginId)
    if (!plugin) return { againIn: gatedMs }
    const row = await this.#ledger.find(job)
    if (!row) return undefined
    const { name } = plugin.release
    const gate = runtime.gate(name, row.tenant_id)
    if (!gate.open && gate.error.status === 503) return { againIn: gatedMs }
    const tenant = await this.#tenantOf(row)
    const isOpen = gate.open && tenant !== 'gone' && !runtime.deniedFor(name, row.tenant_id).has('jobs')
    if (!isOpen) {
      if (Date.now() - row.created_at.getTime() < mostClosedMs) return { againIn: closedMs }
      return this.#fail(job, texts.keep('notice.job_closed'))
    }
    return this.#step(plugin, row, job, tenant)
  }

  async #step(
    { release, grants }: LoadedPlugin,
    row: JobRow,
    job: RunningJob<StepPayload>,
    tenant: GuestTenant | undefined,
  ): Promise<Again | undefined> {
    const { runtime } = this.#parts
    const declared = release.manifest.jobs?.find((each) => each.name === row.name)
    if (!declared) return this.#fail(job, texts.keep('notice.job_gone'))
    const limits = effectiveLimits(grants.limits, runtime.limits(release.name))
    const { minutes = limits.jobMinutes, timeoutMs = limits.jobStepMs } = declared
    const wallLeftMs = minutes * minuteMs - Number(row.wall_ms)
    if (wallLeftMs <= 0) return this.#fail(job, texts.keep('notice.job_too_long', { minutes }))
    const cpuLeftMs = limits.jobDayCpuMs - (await this.#ledger.cpuToday(row))
    if (cpuLeftMs <= 0) return { againIn: msToTomorrow() }
    const attempt = await this.#ledger.begin(row)
    const { id, name, input, state, steps } = row
    const call = runtime.call({
      ...{ release, grants, tenant, signal: job.signal, hop: row.hop },
      target: { kind: 'job', name: declared.handler },
      input: JSON.stringify({ id, name, input, state, step: steps + 1, attempt }),
      wallMs: Math.min(timeoutMs, limits.jobStepMs, wallLeftMs),
      cpuMs: Math.min(limits.jobCpuMs, Math.max(1, Math.ceil(cpuLeftMs))),
      ...(row.trace_id === null ? {} : { traceId: row.trace_id }),
    })
    const outcome = await unlessAborted(call, job.signal)
    await this.#ledger.charge(row, outcome)
    if (outcome.ok) return this.#end(row, job, outcome.value)
    if (isNotItsFault(outcome) && attempt < attempts * 2) return { againIn: againMs }
    return this.#failed(release.name, row, job, outcome, attempt)
  }

  async #end(row: JobRow, job: RunningJob<StepPayload>, value: string): Promise<Again | undefined> {
    let end: StepEnd
    try {
      end = readStepEnd(value)
    } catch (error) {
      return this.#fail(job, sayError(error))
    }
    const isOver = await this.#ledger.end(job, row, end)
    if (isOver || end.kind === 'done') return undefined
    if (end.progress !== null) await job.progress(end.progress, end.text ?? undefined)
    return { againIn: end.delayMs }
  }

  async #failed(
    plugin: string,
    row: JobRow,
    job: RunningJob<StepPayload>,
    outcome: FailedOutcome,
    attempt: number,
  ): Promise<Again | undefined> {
    const error = outcomeError(plugin, outcome)
    const said =
      outcome.kind === 'threw' ? { words: authorText(outcome.error.message) } : (toldOf(outcome) ?? sayError(error))
    const { name: jobName, tenant_id: tenant } = row
    this.#parts.log.warn({ plugin, job: jobName, tenant, code: error.code, attempt }, 'a step of a job failed')
    if (outcome.kind === 'load' || attempt >= attempts) return this.#fail(job, said)
    await this.#ledger.retry(job, said)
    return { againIn: 5 ** (attempt - 1) * 1_000 }
  }

  async #fail(job: RunningJob<StepPayload>, said: Said): Promise<undefined> {
    await this.#ledger.fail(job, said)
  }

  async #lose({ payload, tenantId, state, said }: LostJob<StepPayload>, trx: Knex.Transaction): Promise<void> {
    const why = said ?? texts.keep('notice.job_cancelled')
    await this.#ledger.lose(trx, { ...payload, tenantId }, state === 'cancelled' ? 'cancelled' : 'failed', why)
  }

  /** Tenants that are closed have no jobs done until they are open again. */
  async #tenantOf({ tenant_id: id }: JobRow): Promise<GuestTenant | 'gone' | undefined> {
    if (id === 0) return undefined
    const tenant = await this.#parts.tenants.byId(id)
    return tenant?.status === 'active' ? { id: tenant.id, code: tenant.code } : 'gone'
  }
}

/** Rejects once nobody wants the step any more, or somebody else repeats it; what the guest is at ends at its own limit. */
async function unlessAborted(call: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([call, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The sandbox was restarted under the step, or had no room for it. */
function isNotItsFault(outcome: FailedOutcome): boolean {
  if (outcome.kind === 'killed') return true
  return outcome.kind === 'limit' && (outcome.limit === 'queue' || outcome.limit === 'concurrency')
}

function msToTomorrow(): number {
  const dayMs = 24 * 60 * minuteMs
  return dayMs - (Date.now() % dayMs) + 1_000
}
