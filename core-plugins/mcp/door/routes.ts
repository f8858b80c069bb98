import { bare, defineRoute, type Route } from '#kernel'
import type { Door } from './door.ts'

/** Where the protocol is spoken. */
const doorPath = '/v1/mcp'
/** Where it stands how to get in (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource'

const largestBody = 4 * 1024 * 1024
const refusals = [4010, 4019, 4030, 4031, 4033, 4035, 4036, 4290]

const message = {
  type: 'object',
  description: 'A JSON-RPC message: a result, or an error',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'integer', 'null'] },
    result: { type: 'object' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
    },
  },
} as const
const metadata = {
  type: 'object',
  required: ['resource', 'authorization_servers', 'bearer_methods_supported', 'resource_name'],
  properties: {
    resource: { type: 'string' },
    authorization_servers: { type: 'array', items: { type: 'string' } },
    bearer_methods_supported: { type: 'array', items: { type: 'string' } },
    resource_name: { type: 'string' },
  },
} as const
const fault = (status: number) => ({ status, isBare: true, schema: message }) as const
const faults = [fault(400), fault(404)]

/** The endpoint of the protocol, for callers with an API key or a user's token. */
export function doorRoutes(door: Door, publicUrl: string): readonly Route[] {
  const open = {
    auth: 'none',
    path: doorPath,
    demandCredential: (ctx: Parameters<Door['admit']>[0]) => door.admit(ctx),
  } as const
  return [
    defineRoute({
      ...{ ...open, method: 'post', accepts: ['json'], maxBodyBytes: largestBody },
      summary: 'Speak the Model Context Protocol: one JSON-RPC message, answered as JSON or as Server-Sent Events',
      answers: [
        { isBare: true, schema: message },
        { types: ['text/event-stream'] },
        { status: 202, types: [] },
        ...faults,
      ],
      errors: [...refusals, 4001, 4296, 4298],
      handler: (ctx) => door.post(ctx),
    }),
    defineRoute({
      ...{ ...open, method: 'get' },
      summary: 'Hear what changes in a session of the Model Context Protocol, as Server-Sent Events',
      answers: [{ types: ['text/event-stream'] }, ...faults],
      errors: [...refusals, 4298],
      handler: (ctx) => door.listen(ctx),
    }),
    defineRoute({
      ...{ ...open, method: 'delete' },
      summary: 'End a session of the Model Context Protocol',
      answers: [204, fault(404)],
      errors: refusals,
      handler: (ctx) => door.end(ctx),
    }),
    ...[metadataPath, metadataPath + doorPath].map((path) =>
      defineRoute({
        ...{ method: 'get', path, auth: 'none' },
        summary: 'Read where tokens for the Model Context Protocol come from (RFC 9728)',
        answers: [{ isBare: true, schema: metadata }],
        handler: () =>
          bare({
            resource: publicUrl + doorPath,
            authorization_servers: [publicUrl],
            bearer_methods_supported: ['header'],
            resource_name: 'Stoa',
          }),
      }),
    ),
  ]
}
