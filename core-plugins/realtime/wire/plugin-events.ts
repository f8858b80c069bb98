import type { EventLog, Principal, Scope } from '#kernel'
import { pluginEventsPublished } from '../../plugin-events/contract.ts'
import type { PluginRuntime } from '../../plugins/contract.ts'
import { keyOf, type Namespace } from '../connections/keys.ts'
import type { LoggedFrame } from '../connections/frame.ts'

/** Names of plugins have two parts, and their events more. */
const form = /^([a-z0-9-]+\.[a-z0-9-]+)\../

/**
 * The events that plugins publish, under their own names: for those who may open an entry of the plugin in the console, or the one of
 * them who is meant.
 */
export function publishPluginEvents(scope: Pick<Scope, 'on'> & { readonly eventLog: Pick<EventLog, 'append'> }): void {
  scope.on(pluginEventsPublished, async ({ tenantId, type, payload, userId }) => {
    const frame: LoggedFrame = { event: type, ts: new Date().toISOString(), data: payload ?? null }
    const key = userId === undefined ? keyOf.plugins(tenantId) : keyOf.pluginsTo(tenantId, userId)
    await scope.eventLog.append(key, frame)
  })
}

/** Whether somebody may hear what a plugin publishes, at the moment. */
export function mayHearPlugin(
  namespace: Namespace,
  event: string,
  principal: Principal,
  plugins: Pick<PluginRuntime, 'hasEntryFor'>,
): boolean {
  const [, plugin] = form.exec(event) ?? []
  return plugin !== undefined && namespace !== 'user' && plugins.hasEntryFor(plugin, principal)
}
