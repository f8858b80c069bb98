import type { Principal } from '#kernel'
import type { Namespace } from '../connections/keys.ts'
import { adminEvents } from './admin-events.ts'
import { alertEvents } from './alert-events.ts'
import { reportEvents } from './report-events.ts'
import { tenantEvents } from './tenant-events.ts'
import { userEvents } from './user-events.ts'
import type { WireEvent } from './wire-event.ts'

/** Every event that clients get. */
export const wireEvents: readonly WireEvent[] = [
  ...[...userEvents, ...tenantEvents, ...adminEvents],
  ...[...alertEvents, ...reportEvents],
]

/** By namespace, then by name: it is asked once for each delivery. */
const permissions = new Map(
  [...Map.groupBy(wireEvents, ({ namespace }) => namespace)].map(([namespace, events]) => [
    namespace,
    new Map(events.map(({ name, permissions = [] }) => [name, permissions])),
  ]),
)
const farewells = new Set(wireEvents.filter(({ isFarewell }) => isFarewell).map(({ name }) => name))

/** Whether somebody may hear an event, with what they hold at the moment; undefined for what is in no table. */
export function mayHear(namespace: Namespace, event: string, principal: Pick<Principal, 'can'>): boolean | undefined {
  return permissions
    .get(namespace)
    ?.get(event)
    ?.every((permission) => principal.can(permission))
}

/** Whether an event is the last that its reader gets. */
export function isFarewell(event: string): boolean {
  return farewells.has(event)
}
