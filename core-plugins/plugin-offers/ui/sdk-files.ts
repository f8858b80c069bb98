import { defineRoute, NotFoundError, raw, type Route } from '#kernel'
import { loadPageSdk } from '#sandbox'
import { filePolicy } from './content-policy.ts'
import { fileHeaders, sdkFolder } from './frame-headers.ts'

const params = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', maxLength: 100, description: 'Name of the file' } },
} as const

/** What pages of plugins load from the platform: their way to the console, its looks, and the guard before each of them. */
export function sdkRoute(): Route {
  return defineRoute({
    method: 'get',
    path: `${sdkFolder}{file}`,
    summary: 'Read a file that pages of plugins reach the console with',
    auth: 'none',
    answers: [{ types: ['*/*'] }, 304],
    schema: { params },
    errors: [4040],
    async handler(ctx) {
      const file = await loadPageSdk(ctx.params.file)
      if (!file) throw new NotFoundError()
      const { content, contentType, etag } = file
      const headers = {
        ...fileHeaders,
        etag,
        'cache-control': 'public, max-age=3600',
        'content-security-policy': filePolicy,
      }
      return ctx.isFresh(etag) ? raw('', contentType, { status: 304, headers }) : raw(content, contentType, { headers })
    },
  })
}
