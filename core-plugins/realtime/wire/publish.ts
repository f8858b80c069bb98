import type { EventLog, Scope } from '#kernel'
import type { LoggedFrame } from '../connections/frame.ts'
import type { Feed } from './feed.ts'
import type { WireEvent, WireSources } from './wire-event.ts'

/** Writes events into the log as they happen, once on the host that causes them, before their cause is answered. */
export function publishEvents(
  scope: Pick<Scope, 'on'> & { readonly eventLog: Pick<EventLog, 'append'> },
  events: readonly WireEvent[],
  sources: WireSources,
  feed: Pick<Feed, 'tell'>,
): void {
  for (const event of events) {
    scope.on(event.from, async (payload) => {
      for (const told of await event.tell(payload, sources)) {
        const ts = new Date().toISOString()
        const { data, roles } = told
        const frame: LoggedFrame = { event: event.name, ts, data, ...(roles && { roles }) }
        // One that fails keeps the other from nobody.
        const sent = await Promise.allSettled([scope.eventLog.append(told.key, frame), feed.tell(event, told, ts)])
        for (const one of sent) if (one.status === 'rejected') throw one.reason
      }
    })
  }
}
