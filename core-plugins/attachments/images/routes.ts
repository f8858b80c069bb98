import { defineRoute, type Route } from '#kernel'
import { credentialQuery } from '../access/routes.ts'
import { answerImage, type ImageParts } from './service.ts'
import { readLimit } from './settings.ts'

const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 100 } },
} as const
/** What is wrong with a parameter of the image is told as 422/4224, so that it is looked at by the handler. */
const query = {
  type: 'object',
  properties: {
    ...credentialQuery,
    w: { description: 'Width in pixels, 1 to 4096' },
    h: { description: 'Height in pixels, 1 to 4096' },
    q: { description: 'Quality, 1 to 100' },
    f: { description: 'Format: jpg, png, webp or gif' },
    m: { description: 'Way into the box: fit, fill, crop or pad' },
    p: { description: 'Preset: thumb, avatar, preview, banner, small, medium or large' },
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
      limit: () => readLimit(parts.config),
      schema: { params, query },
      errors: [4010, 4032, 4035, 4043, 4045, 4224, 4225, 4226, 4294, 5006, 5033],
      handler: (ctx) => answerImage(parts, ctx.params.id, ctx),
    }),
  ]
}
