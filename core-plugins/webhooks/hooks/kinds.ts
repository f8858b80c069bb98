import type { WireFeed, WireKind } from '../../realtime/contract.ts'

/** Whose hooks: the platform's, those of a tenant, or a user's own. */
export type Area = 'admin' | 'tenant' | 'user'

/** What a user's own hooks get. */
export const notificationKind = 'notification.created'

/** The kinds of events that hooks of an area may ask for; those that are told everybody of it, and of users their notifications. */
export function kindsFor(area: Area, { kinds }: Pick<WireFeed, 'kinds'>): readonly WireKind[] {
  return kinds
    .filter(({ namespace, name }) => namespace === area && (area !== 'user' || name === notificationKind))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether one of some names or beginnings with `.*`, or `*`, is that of an event. */
export function isAskedFor(events: readonly string[], name: string): boolean {
  return events.some(
    (asked) => asked === name || asked === '*' || (asked.endsWith('.*') && name.startsWith(asked.slice(0, -1))),
  )
}
