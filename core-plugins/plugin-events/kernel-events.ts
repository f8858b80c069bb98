import { tenantsCreated, tenantsDeleted, tenantsUpdated, type EventRef, type Scope } from '#kernel'
import type { Knex } from 'knex'
import { pluginHash8, type KernelEvent } from '#sandbox'
import { configChanged } from '../config/contract.ts'
import { usersChanged } from '../users/contract.ts'
import { pluginsDisabled, pluginsEnabled, pluginsUninstalled } from '../plugins/contract.ts'
import type { NewEvent } from './event-queue.ts'

/** What a plugin hears of an event of the platform. */
interface Shown extends Pick<NewEvent, 'tenantId' | 'payload' | 'only'> {
  readonly type: KernelEvent
}

interface Entry<P> {
  readonly event: EventRef<P>
  /** Undefined when it is not for plugins. */
  readonly show: (payload: P) => Shown | undefined
}

/** The whole list of what third-party plugins may hear of the platform: names, never secrets. */
const kernelEvents: readonly Entry<never>[] = [
  entry(tenantsCreated, ({ tenantId, code }) => platform('kernel.tenant.created', { tenant_id: tenantId, code })),
  entry(tenantsUpdated, ({ tenantId }) => platform('kernel.tenant.updated', { tenant_id: tenantId })),
  entry(tenantsDeleted, ({ tenantId }) => platform('kernel.tenant.deleted', { tenant_id: tenantId })),
  entry(usersChanged, ({ tenantId, userId, change }) => {
    const word = change === 'created' || change === 'deleted' ? change : 'updated'
    return { type: `kernel.user.${word}` as const, tenantId, payload: { user_id: userId } }
  }),
  entry(configChanged, ({ group, keys, tenantId }) => {
    // A plugin hears of its own settings alone, under the short keys it knows.
    const only = /^plugin\.([^.]+\.[^.]+)(\.platform)?$/.exec(group)?.[1]
    if (only === undefined) return undefined
    const short = keys.map((key) => key.replace(`plg_${pluginHash8(only)}_`, ''))
    return { type: 'kernel.config.changed', tenantId, payload: { keys: short }, only }
  }),
  entry(pluginsEnabled, (plugin) => platform('kernel.plugin.enabled', plugin)),
  entry(pluginsDisabled, (plugin) => platform('kernel.plugin.disabled', plugin)),
  entry(pluginsUninstalled, (plugin) => platform('kernel.plugin.uninstalled', plugin)),
]

/** Queues events of the platform for plugins that subscribed to them, in the transactions that cause them. */
export function bridgeKernelEvents(
  scope: Pick<Scope, 'onWithin'>,
  publishWithin: (trx: Knex.Transaction, event: NewEvent) => Promise<void>,
): void {
  for (const { event, show } of kernelEvents) {
    scope.onWithin(event, async (trx, payload) => {
      const shown = show(payload)
      if (shown) await publishWithin(trx, { ...shown, hop: 1, traceId: '' })
    })
  }
}

function entry<P>(event: EventRef<P>, show: Entry<P>['show']): Entry<never> {
  return { event, show } as unknown as Entry<never>
}

function platform(type: KernelEvent, payload: unknown): Shown {
  return { type, tenantId: 0, payload }
}
