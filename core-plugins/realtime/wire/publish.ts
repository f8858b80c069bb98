import type { EventLog, Scope } from '#kernel'
import type { LoggedFrame } from '../connections/frame.ts'
import type { WireEvent, WireSources } from './wire-event.ts'

/** Writes events into the log as they happen, once on the host that causes them, before their cause is answered. */
export function publishEvents(
  scope: Pick<Scope, 'on'> & { readonly eventLog: Pick<EventLog, 'append'> },
  events: readonly WireEvent[],
  sources: WireSources,
): void {
  for (const event of events) {
    scope.on(event.from, async (payload) => {
      for (const { key, data } of await event.tell(payload, sources)) {
        const frame: LoggedFrame = { event: event.name, ts: new Date().toISOString(), data }
        await scope.eventLog.append(key, frame)
      }
    })
  }
}
