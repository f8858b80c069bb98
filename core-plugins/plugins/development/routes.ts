import { defineRoute, type Route } from '#kernel'
import { receiveUpload } from '../releases/receive-upload.ts'
import { replaceRelease, type ReplaceNeeds } from './replace-release.ts'

const replacedBody = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    version: { type: 'string' },
    tree_hash: { type: 'string' },
    tables_remade: { type: 'boolean', description: 'The migrations are others: the tables were made anew.' },
  },
  required: ['name', 'version', 'tree_hash', 'tables_remade'],
} as const

const replaceQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    saved_at: { type: 'integer', minimum: 0, description: 'When its author saved it, in milliseconds since 1970' },
  },
} as const

const saidBody = {
  type: 'object',
  additionalProperties: false,
  required: ['plugin', 'level', 'message'],
  properties: {
    plugin: { type: 'string', maxLength: 200 },
    level: { enum: ['debug', 'info', 'warn', 'error'] },
    message: { type: 'string', maxLength: 4_000 },
    places: { type: 'array', maxItems: 12, items: { type: 'string', maxLength: 4_000 } },
  },
} as const

/** What there is only where STOA_DEV=1, which means nothing in production. */
export function developmentRoutes(parts: ReplaceNeeds): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/plugins/replace',
      summary: "Replace an installed plugin's release in place, with consent (development only)",
      auth: 'platform',
      permission: 'platform_plugin:install',
      accepts: ['multipart'],
      // The same package again changes nothing.
      idempotent: false,
      schema: { query: replaceQuery, response: replacedBody },
      errors: [4009, 4046, 4092, 4094, 4130, 4227],
      async handler(ctx) {
        await using upload = await receiveUpload(parts.staging, ctx)
        const { name, version, treeHash, hasNewTables } = await replaceRelease(parts, upload, {
          actor: ctx.principal,
          savedAt: ctx.query.saved_at,
        })
        return { name, version, tree_hash: treeHash, tables_remade: hasNewTables }
      },
    }),
    defineRoute({
      method: 'post',
      path: '/plugins/page-logs',
      summary: 'Tell the author of a plugin what a page of it says (development only)',
      auth: 'user',
      // Said twice, it is told twice.
      idempotent: false,
      schema: { body: saidBody },
      handler({ body }) {
        parts.log.info({ page: body }, 'a page of a plugin says something')
      },
    }),
  ]
}
