import { OutageLog, type AppError, type Logger, type TenantResolver } from '#kernel'
import type { DeliveredEvent, GuestTenant } from '#sandbox'
import type { LoadedPlugin, PluginRuntime } from '../plugins/contract.ts'
import type { EventQueue, QueuedEvent } from './event-queue.ts'

/** Deliveries of this host at once; calls of users come first. */
const IN_FLIGHT = 16
/** Those of one plugin: a slow one leaves room for the others. */
const IN_FLIGHT_OF_ONE = 4
/** A plugin that cannot be asked now is asked again after so long. */
const LATER_SECONDS = 5
/** The events of a tenant that is closed wait for it to be opened, which is looked at so often. */
const CLOSED_SECONDS = 60
/** Events wait so long for a plugin to be licensed again, which is looked at as often. */
const UNLICENSED_MILLISECONDS = 7 * 24 * 60 * 60 * 1000

/** What a deliverer stands on. */
export interface DelivererParts {
  readonly queue: EventQueue
  readonly runtime: Pick<PluginRuntime, 'loaded' | 'gate' | 'deniedFor' | 'deliver'>
  readonly tenants: TenantResolver
  readonly log: Logger
}

/** Brings queued events to the plugins that run on this host. */
export class Deliverer implements AsyncDisposable {
  readonly #parts: DelivererParts
  readonly #deliveries = new Map<Promise<void>, QueuedEvent>()
  readonly #outage: OutageLog
  #round: Promise<void> | undefined
  #isAwaited = false
  #isStopped = false

  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#outage = new OutageLog(parts.log, 'the queue of events could not be read')
  }

  /** Looks into the queues soon; called when something was queued, and now and then. */
  wake(): void {
    this.#isAwaited = true
    this.#round ??= this.#rounds().finally(() => (this.#round = undefined))
  }

  /** Keeps what is being delivered this host's. */
  renew(): Promise<void> {
    return this.#parts.queue.renew([...this.#deliveries.values()])
  }

  /** Takes nothing more and waits for what is being delivered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    await this.#round
    await Promise.all(this.#deliveries.keys())
  }

  async #rounds(): Promise<void> {
    while (this.#isAwaited && !this.#isStopped) {
      this.#isAwaited = false
      await this.#outage.watch(() => this.#takeSome())
    }
  }

  async #takeSome(): Promise<void> {
    const room = IN_FLIGHT - this.#deliveries.size
    if (room <= 0) return
    const running = new Map(this.#parts.runtime.loaded().map((plugin) => [plugin.id, plugin]))
    const events = await this.#parts.queue.take(this.#roomOf(running.keys()), room)
    for (const event of events) {
      const plugin = running.get(event.pluginId)
      if (!plugin) continue
      const delivery = this.#deliver(plugin, event).finally(() => {
        this.#deliveries.delete(delivery)
        // The next event of the same queue may go now.
        this.wake()
      })
      this.#deliveries.set(delivery, event)
    }
  }

  /** How many more events each plugin may be given now; those that may be given none are left out. */
  #roomOf(pluginIds: Iterable<number>): ReadonlyMap<number, number> {
    const room = new Map([...pluginIds].map((id) => [id, IN_FLIGHT_OF_ONE]))
    for (const { pluginId } of this.#deliveries.values()) room.set(pluginId, (room.get(pluginId) ?? 0) - 1)
    return new Map([...room].filter(([, left]) => left > 0))
  }

  async #deliver(plugin: LoadedPlugin, event: QueuedEvent): Promise<void> {
    const { queue, runtime, log } = this.#parts
    const { name } = plugin.release
    try {
      const gate = runtime.gate(name, event.tenantId)
      if (!gate.open && gate.error.status === 503) return await queue.postponed(event, LATER_SECONDS)
      if (!gate.open && gate.error.reason === 'license_required') return await this.#unlicensed(event)
      if (!gate.open || runtime.deniedFor(name, event.tenantId).has('events')) {
        return await queue.failed(event, 'The tenant does not let the plugin have events any more', { retry: false })
      }
      const tenant = await this.#tenantOf(event)
      if (tenant === 'gone') return await queue.done(event)
      if (tenant === 'closed') return await queue.postponed(event, CLOSED_SECONDS)
      const outcome = await runtime.deliver(plugin.release, plugin.grants, presentEvent(event, tenant))
      if (outcome.delivered) await queue.done(event)
      else if (isPaused(outcome.error)) await queue.postponed(event, LATER_SECONDS)
      else await queue.failed(event, outcome.error.message, { retry: outcome.retry })
    } catch (error) {
      // The lease runs out and the event comes again.
      log.error({ err: error, plugin: name, type: event.type }, 'an event could not be delivered')
    }
  }

  async #unlicensed(event: QueuedEvent): Promise<void> {
    const { queue } = this.#parts
    if (Date.now() - event.occurredAt.getTime() < UNLICENSED_MILLISECONDS) return queue.postponed(event, CLOSED_SECONDS)
    await queue.failed(event, 'The plugin was not licensed for too long', { retry: false })
  }

  /** Never undefined but for the platform's own events: without a tenant a guest works for the platform. */
  async #tenantOf({ tenantId }: QueuedEvent): Promise<GuestTenant | 'gone' | 'closed' | undefined> {
    if (tenantId === 0) return undefined
    const tenant = await this.#parts.tenants.byId(tenantId)
    if (!tenant) return 'gone'
    return tenant.status === 'active' ? { id: tenant.id, code: tenant.code } : 'closed'
  }
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
