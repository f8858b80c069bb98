import { bare, defineRoute, type Route } from '#kernel'
import type { KeyRing } from './key-ring.ts'

const keySet = {
  type: 'object',
  required: ['keys'],
  properties: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kty', 'kid', 'use', 'alg'],
        properties: {
          kty: { type: 'string' },
          kid: { type: 'string' },
          use: { const: 'sig' },
          alg: { type: 'string' },
          crv: { type: 'string' },
          x: { type: 'string' },
        },
      },
    },
  },
} as const

/** The keys that outsiders verify access tokens with. */
export function keySetRoute(ring: KeyRing): Route {
  return defineRoute({
    method: 'get',
    path: '/.well-known/jwks.json',
    auth: 'none',
    summary: 'The public keys of access tokens (RFC 7517)',
    answers: [{ isBare: true }],
    schema: { response: keySet },
    handler: () => bare({ keys: ring.publicKeys() }, { headers: { 'cache-control': 'public, max-age=300' } }),
  })
}
