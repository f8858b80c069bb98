import { defineRoute, NotFoundError, raw, type Route } from '#kernel'
import { loadPageSdk, pageSdkFolder } from '#sandbox'

const params = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', maxLength: 100, description: 'Name of the file' } },
} as const

/** What pages of plugins load from the platform: their way to the console, its looks, and the guard before each of them. */
export function sdkRoute(): Route {
  return defineRoute({
    method: 'get',
    path: `${pageSdkFolder}{file}`,
    summary: 'Read a file that pages of plugins reach the console with',
    auth: 'none',
    answers: [{ types: ['*/*'] }, 304],
    schema: { params },
    errors: [4040],
    async handler(ctx) {
      const file = await loadPageSdk(ctx.params.file)
      if (!file) throw new NotFoundError()
      const { content, contentType, headers } = file
      const isFresh = ctx.isFresh(headers.etag)
      return isFresh ? raw('', contentType, { status: 304, headers }) : raw(content, contentType, { headers })
    },
  })
}
