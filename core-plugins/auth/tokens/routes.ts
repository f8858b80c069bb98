import { bare, defineRoute, type Route } from '#kernel'
import type { KeyRing } from './key-ring.ts'

/** The keys that outsiders verify access tokens with. */
export function keySetRoute(ring: KeyRing): Route {
  return defineRoute({
    method: 'get',
    path: '/.well-known/jwks.json',
    auth: 'none',
    summary: 'The public keys of access tokens (RFC 7517)',
    handler: () => bare({ keys: ring.publicKeys() }, { headers: { 'cache-control': 'public, max-age=300' } }),
  })
}
