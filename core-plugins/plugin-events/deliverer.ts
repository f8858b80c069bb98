import { sayError, type AppError, type Said, type TenantResolver } from '#kernel'
import type { DeliveredEvent, GuestTenant } from '#sandbox'
import type { Knex } from 'knex'
import type { Again, JobKind, RunningJob } from '../jobs/contract.ts'
import type { LoadedPlugin, PluginRuntime } from '../plugins/contract.ts'
import { backoffOf, deliverKind, type DeliverPayload, type EventJobs } from './event-jobs.ts'
import type { EventLine, EventQueue, Next, QueuedEvent } from './event-queue.ts'
import { texts } from './texts/texts.ts'

/** Deliveries of this host at once; calls of users come first. */
const inFlight = 16
/** Those of one plugin: a slow one leaves room for the others. */
const inFlightOfOne = 4
/** After so long others have their turn. */
const turnMilliseconds = 5_000
/** A plugin that cannot be asked now is asked again after so long. */
const laterSeconds = 5
/** The events of a tenant that is closed wait for it to be opened, which is looked at so often. */
const closedSeconds = 60
/** Events wait so long for a plugin to be licensed again, which is looked at as often. */
const unlicensedMilliseconds = 7 * 24 * 60 * 60 * 1000

/** What a deliverer stands on. */
interface DelivererParts {
  readonly db: Knex
  readonly queue: EventQueue
  readonly jobs: Pick<EventJobs, 'deliver'>
  readonly runtime: Pick<PluginRuntime, 'loaded' | 'gate' | 'deniedFor' | 'deliver'>
  readonly tenants: TenantResolver
}

/** What became of an event: how many seconds it waits for, without having been an attempt; or that it was in vain. */
type Outcome = 'done' | { readonly seconds: number } | { readonly error: Said; readonly retry: boolean }

const over = { retry: false } as const

/** Brings queued events to the plugins that run on this host. */
export class Deliverer {
  readonly #parts: DelivererParts

  constructor(parts: DelivererParts) {
    this.#parts = parts
  }

  /** What the queue of jobs does of it: each job the events of one plugin and tenant, on a host where the plugin runs. */
  get kind(): JobKind<DeliverPayload> {
    return {
      ...{ kind: deliverKind, keepSeconds: 0, concurrency: inFlight, attempts: Infinity, backoff: backoffOf },
      groups: () => new Map(this.#parts.runtime.loaded().map(({ id }) => [String(id), inFlightOfOne])),
      // Events do not come to nothing because somebody cancels what brings them.
      onLost: ({ payload, tenantId }, trx) => this.#parts.jobs.deliver(trx, [payload.pluginId], [tenantId]),
      run: (job) => this.#deliverLine(job, { pluginId: job.payload.pluginId, tenantId: job.tenantId }),
    }
  }

  async #deliverLine(job: RunningJob, line: EventLine): Promise<Again | undefined> {
    const { queue, runtime } = this.#parts
    const end = performance.now() + turnMilliseconds
    let next = await queue.first(line)
    while (next !== 'none') {
      if ('waits' in next) return { againIn: next.waits }
      const { event } = next
      const plugin = runtime.loaded().find(({ id }) => id === line.pluginId)
      const outcome = plugin ? await this.#outcomeOf(plugin, event) : { seconds: laterSeconds }
      const isTurnOver = performance.now() > end || job.signal.aborted
      if (outcome === 'done' && isTurnOver) {
        await queue.done(event)
        job.signal.throwIfAborted()
        return { againIn: 0 }
      }
      next = await this.#after(job, event, outcome)
    }
    return undefined
  }

  /** Writes down what became of an event, and takes the next one. */
  async #after(job: RunningJob, event: QueuedEvent, outcome: Outcome): Promise<Next> {
    const { queue } = this.#parts
    if (outcome === 'done') {
      const next = await queue.doneAndNext(event)
      if (next) return next
    } else if ('seconds' in outcome) {
      await queue.postponed(event, outcome.seconds)
      return { waits: outcome.seconds * 1_000 }
    } else {
      const waits = await queue.failed(event, outcome.error, outcome)
      if (waits !== undefined) return { waits }
    }
    job.signal.throwIfAborted()
    return this.#firstOfMine(job, event)
  }

  /** The first event of a line, as long as no other host has it. */
  #firstOfMine(job: RunningJob, line: EventLine): Promise<Next> {
    const { db, queue } = this.#parts
    return db.transaction(async (trx) => {
      await job.hold(trx)
      return queue.first(line, trx)
    })
  }

  async #outcomeOf(plugin: LoadedPlugin, event: QueuedEvent): Promise<Outcome> {
    const { runtime } = this.#parts
    const { name } = plugin.release
    const gate = runtime.gate(name, event.tenantId)
    if (!gate.open && gate.error.status === 503) return { seconds: laterSeconds }
    if (!gate.open && gate.error.reason === 'license_required') return unlicensed(event)
    if (!gate.open || runtime.deniedFor(name, event.tenantId).has('events')) {
      return { error: texts.keep('notice.event_refused'), ...over }
    }
    const tenant = await this.#tenantOf(event)
    if (tenant === 'gone') return 'done'
    if (tenant === 'closed') return { seconds: closedSeconds }
    const outcome = await runtime.deliver(plugin.release, plugin.grants, presentEvent(event, tenant))
    if (outcome.delivered) return 'done'
    if (isPaused(outcome.error)) return { seconds: laterSeconds }
    return { error: sayError(outcome.error), retry: outcome.retry }
  }

  /** Never undefined but for the platform's own events: without a tenant a guest works for the platform. */
  async #tenantOf({ tenantId }: QueuedEvent): Promise<GuestTenant | 'gone' | 'closed' | undefined> {
    if (tenantId === 0) return undefined
    const tenant = await this.#parts.tenants.byId(tenantId)
    if (!tenant) return 'gone'
    return tenant.status === 'active' ? { id: tenant.id, code: tenant.code } : 'closed'
  }
}

function unlicensed({ occurredAt }: QueuedEvent): Outcome {
  if (Date.now() - occurredAt.getTime() < unlicensedMilliseconds) return { seconds: closedSeconds }
  return { error: texts.keep('notice.event_unlicensed'), ...over }
}

function presentEvent(event: QueuedEvent, tenant: GuestTenant | undefined): DeliveredEvent {
  const { id, type, tenantId, payload, hop, occurredAt, attempts: attempt, traceId } = event
  return { id, type, tenantId, tenant, payload, hop, occurredAt, attempt, ...(traceId !== undefined && { traceId }) }
}

/** The breaker is open: the plugin was not asked at all. */
function isPaused({ code, details }: AppError): boolean {
  const cause = (details as { readonly cause?: unknown } | undefined)?.cause
  return code === 5035 && (cause === 'breaker_open' || cause === 'quarantined')
}
