import { defineRoute, type Route } from '#kernel'
import { resolveAccess, type AccessParts } from './attachment-access.ts'
import { canonicalOf } from './canonical.ts'
import { fileAnswers } from './file-answers.ts'
import { giveContent, type GiveParts } from './give-content.ts'

const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 100, description: 'Id of the attachment' } },
} as const

/** What a link to an attachment brings as its right to it; a signature that is none is told as 403/4032, so that it is looked at by the handler. */
export const credentialQuery = {
  token: { type: 'string', minLength: 1, maxLength: 8192, description: 'An access token' },
  exp: { description: 'When the signature ends, in seconds of Unix time' },
  sign: { description: 'Signature of the link' },
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
      produces: ['*/*'],
      answers: fileAnswers,
      schema: { params, query },
      errors: [4010, 4032, 4035, 4043, 4045, 4094, 4160],
      async handler(ctx) {
        const { preview } = ctx.query
        const allowed = await resolveAccess(parts, ctx, ctx.params.id, 'access', canonicalOf({ preview }))
        return giveContent(parts, ctx, allowed, { inline: preview === true, counts: preview !== true })
      },
    }),
  ]
}
