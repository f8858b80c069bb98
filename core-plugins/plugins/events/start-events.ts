import type { Scope, TenantResolver } from '#kernel'
import type { Sandbox } from '#sandbox'
import type { Audit } from '../../access/contract.ts'
import type { PluginLoader } from '../running/plugin-loader.ts'
import type { RunningState } from '../running/running-state.ts'
import { DeadEvents } from './dead-events.ts'
import { Deliverer } from './deliverer.ts'
import { EventQueue, type NewEvent } from './event-queue.ts'
import { bridgeKernelEvents } from './kernel-events.ts'
import { Publisher } from './publisher.ts'

const CHANNEL = 'plugin-events'
/** Several times in a lease. */
const RENEW_MILLISECONDS = 5_000

/** The events of plugins on this host. */
export interface Events {
  /** Resolves when the event is safely queued for everybody who hears it. */
  publish(event: NewEvent): Promise<void>
  /** Looks into the queues. */
  wake(): void
  /** Deletes what was set aside long ago. */
  sweep(): Promise<void>
  /** What waits, and what was set aside. */
  readonly dead: DeadEvents
}

/** Starts publishing and delivering; both end with the scope. */
export function startEvents(
  scope: Scope,
  parts: {
    readonly state: RunningState
    readonly loader: PluginLoader
    readonly sandbox: Pick<Sandbox, 'deliver'>
    readonly tenants: TenantResolver
    readonly audit: Audit
  },
): Events {
  const { state, loader, sandbox, tenants, audit } = parts
  const queue = new EventQueue(scope.db)
  const running = () => loader.loaded
  const deliverer = scope.use(new Deliverer({ queue, state, running, sandbox, tenants, log: scope.log }))
  const wake = () => deliverer.wake()
  const onQueued = () => {
    wake()
    // Other hosts may be less busy.
    scope.bus.publish(CHANNEL, {}).catch((error: unknown) => scope.log.debug({ err: error }, 'no word of an event'))
  }
  const publisher = new Publisher({ db: scope.db, queue, log: scope.log, onQueued })
  const publish = (event: NewEvent) => publisher.publish(event)
  scope.use(scope.bus.subscribe(CHANNEL, wake))
  scope.every(RENEW_MILLISECONDS, () => deliverer.renew())
  bridgeKernelEvents(scope, (trx, event) => publisher.publishWithin(trx, event), onQueued)
  const dead = new DeadEvents({ db: scope.db, audit, onQueued })
  return { publish, wake, sweep: () => queue.sweep(), dead }
}
