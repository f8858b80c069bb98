import type { Knex } from 'knex'
import { defineRoute, type Route } from '#kernel'
import { Attachment } from '../models.ts'
import { resolveAccess, type AccessParts } from './attachment-access.ts'
import { canonicalOf } from './canonical.ts'
import { giveContent, type GiveParts, type GiveRequest } from './give-content.ts'

const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 100 } },
} as const

/** What a link to an attachment brings as its right to it. */
export const credentialQuery = {
  token: { type: 'string', minLength: 1, maxLength: 8192, description: 'An access token' },
  exp: { type: 'integer', description: 'When the signature ends, in seconds of Unix time' },
  sign: { type: 'string', minLength: 1, maxLength: 200 },
} as const

const query = {
  type: 'object',
  properties: {
    ...credentialQuery,
    preview: { type: 'boolean', description: 'To be shown in the browser, where that is harmless' },
  },
} as const

/** Files for whoever has a right to them. */
export function accessRoutes(parts: AccessParts & GiveParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/public/attachments/{id}/access',
      summary: 'Get a file: a public one, or with a token or a signed link',
      auth: 'optional',
      tenant: 'optional',
      schema: { params, query },
      errors: [4010, 4032, 4035, 4043, 4045, 4160],
      async handler(ctx) {
        const { preview } = ctx.query
        const allowed = await resolveAccess(parts, ctx, ctx.params.id, 'access', canonicalOf({ preview }))
        const reply = await giveContent(parts, ctx, allowed, preview === true)
        if (preview !== true) await countDownload(parts.db, ctx, allowed.attachment)
        return reply
      },
    }),
  ]
}

/** Counts a download once: not its later parts, and not questions about it. */
export async function countDownload(
  db: Knex,
  request: Pick<GiveRequest, 'header' | 'method'>,
  { id, tenantId }: Attachment,
): Promise<void> {
  const range = request.header('range')
  if (request.method !== 'GET' || (range !== undefined && !/^\s*bytes\s*=\s*0\s*-/i.test(range))) return
  await Attachment.of(tenantId, db).where({ id }).increment('download_count', 1)
}
