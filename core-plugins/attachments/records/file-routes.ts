import { defineRoute, tenantNeeds, type Route } from '#kernel'
import { contentTypeOf, dispositionOf } from '../access/content-headers.ts'
import { demandReady } from '../access/demand-ready.ts'
import { externalLink } from '../access/external-link.ts'
import { fileAnswers } from '../access/file-answers.ts'
import { giveContent, wantsJson } from '../access/give-content.ts'
import type { Links } from '../access/links.ts'
import { isRaster } from '../content/raster.ts'
import { imageQuery, readParameters } from '../images/parameters.ts'
import type { AttachmentParts } from '../parts.ts'
import type { AttachmentService } from './attachment-service.ts'
import { attachmentParams as params } from './schemas.ts'

const ttl = { type: 'integer', minimum: 60, maximum: 604_800 } as const
const read = tenantNeeds('user_attachment:read')

const previewQuery = {
  type: 'object',
  properties: {
    ...imageQuery,
    ttl: { ...ttl, description: 'For how many seconds the link holds' },
  },
} as const

const previewBody = {
  type: 'object',
  additionalProperties: false,
  required: ['url', 'expires_at', 'kind'],
  properties: {
    url: { type: 'string' },
    expires_at: { type: 'string' },
    kind: { enum: ['access', 'image', 'external'] },
  },
} as const

const downloadQuery = {
  type: 'object',
  properties: {
    disposition: { enum: ['attachment', 'inline'], description: 'Whether a browser shows the file or saves it' },
  },
} as const

/** Links to files and the files themselves, for those who are signed in. */
export function fileRoutes(parts: AttachmentParts, attachments: AttachmentService, links: Links): readonly Route[] {
  return [previewRoute(parts, attachments, links), downloadRoute(parts, attachments, links)]
}

function previewRoute(parts: AttachmentParts, attachments: AttachmentService, links: Links): Route {
  return defineRoute({
    method: 'get',
    path: '/attachments/{id}/preview-url',
    summary: 'Make a link that shows an attachment to whoever has it',
    admit: read,
    schema: { params, query: previewQuery, response: previewBody },
    errors: [4043, 4045, 4094, 4224],
    async handler(ctx) {
      const { ttl: given } = ctx.query
      const picture = readParameters(ctx.query, ctx.state.locale)
      const attachment = await attachments.get(ctx.principal, ctx.params.id)
      demandReady(attachment)
      const seconds = given ?? (await parts.config.get<number>('signed_url_ttl_seconds', 0, 3600))
      const isPicture = isRaster(attachment.mimeType) && Object.keys(picture).length > 0
      if (!isPicture && (await parts.volumes.byRef(attachment.storageRef)).driver !== 'local') {
        const url = await externalLink(parts, ctx, attachment, {
          seconds,
          contentType: contentTypeOf(attachment),
          disposition: dispositionOf(attachment, true),
        })
        return { url, expires_at: new Date(Date.now() + seconds * 1000).toISOString(), kind: 'external' }
      }
      const [op, shown] = isPicture ? (['image', picture] as const) : (['access', { preview: true }] as const)
      const { url, expiresAt } = links.signed(op, attachment, shown, seconds, ctx.tenant)
      return { url, expires_at: expiresAt.toISOString(), kind: op }
    },
  })
}

function downloadRoute(parts: AttachmentParts, attachments: AttachmentService, links: Links): Route {
  return defineRoute({
    method: 'get',
    path: '/attachments/{id}/download',
    summary: 'Download an attachment: its bytes, or where they lie',
    admit: read,
    produces: ['*/*'],
    answers: fileAnswers,
    schema: { params, query: downloadQuery },
    errors: [4043, 4045, 4094, 4160],
    async handler(ctx) {
      const attachment = await attachments.get(ctx.principal, ctx.params.id)
      demandReady(attachment)
      const isLocal = (await parts.volumes.byRef(attachment.storageRef)).driver === 'local'
      if (isLocal && wantsJson(ctx)) {
        const seconds = await parts.config.get<number>('signed_url_ttl_seconds', 0, 3600)
        const { url, expiresAt } = links.signed('access', attachment, {}, seconds, ctx.tenant)
        return { redirect_url: url, expires_at: expiresAt.toISOString() }
      }
      const options = { inline: ctx.query.disposition === 'inline', counts: true }
      return giveContent(parts, ctx, { attachment, by: 'token' }, options)
    },
  })
}
