import { defineRoute, type Route } from '#kernel'
import { credentialQuery } from '../access/routes.ts'
import { imageQuery } from './parameters.ts'
import { answerImage, type ImageParts } from './service.ts'

const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 100, description: 'Id of the attachment' } },
} as const
const query = {
  type: 'object',
  properties: {
    ...credentialQuery,
    ...imageQuery,
  },
} as const

/** Images of attachments, for whoever may have the attachment. */
export function imageRoutes(parts: ImageParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/public/attachments/{id}/image',
      summary: 'Read an image of an attachment: smaller, cut, in another format',
      auth: 'optional',
      tenant: 'optional',
      produces: ['*/*'],
      limit: async () => (await parts.configuration.read()).rate,
      answers: [{ types: ['image/*'] }, 302, 304],
      schema: { params, query },
      errors: [4010, 4032, 4035, 4043, 4045, 4094, 4224, 4225, 4226, 4294, 5006, 5033],
      handler: (ctx) => answerImage(parts, ctx.params.id, ctx),
    }),
  ]
}
