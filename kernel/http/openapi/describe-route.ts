import { honoursIdempotencyKey } from '../idempotency.ts'
import type { Route } from '../route.ts'

const callers = {
  none: 'Anybody may call it.',
  optional: 'Anybody may call it; who is signed in may see more.',
  user: 'For whoever is signed in, on the platform or in a tenant.',
  platform: 'For users of the platform.',
  tenant: 'For users of a tenant.',
}

/** Who may call a route and within what bounds, as sentences. */
export function describeRoute(route: Route): string {
  const { auth = 'user', permission, limit, inPerson } = route
  const said = [callers[auth]]
  if (typeof permission === 'string') said.push(`Needs the permission \`${permission}\`.`)
  else if (permission)
    said.push(`Needs the permission \`${permission.platform}\` on the platform, \`${permission.tenant}\` in a tenant.`)
  if (inPerson) said.push('Only for the user in person, not for an administrator in the user’s place.')
  if (typeof limit === 'object')
    said.push(`At most ${limit.requests} requests in ${limit.seconds} seconds for each ${limit.by}.`)
  if (honoursIdempotencyKey(route)) said.push('A request may be sent again safely with an Idempotency-Key.')
  return said.join(' ')
}
