import { defineRoute, NotFoundError, raw, type Route } from '#kernel'
import type { StorageObject } from './models.ts'
import { openObject } from './objects/object-store.ts'
import type { StorageParts } from './objects/storage-parts.ts'
import { findById } from './objects/stored-rows.ts'
import { openToken } from './signed-token.ts'

const params = {
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string', minLength: 1, maxLength: 100, description: 'Token of the link' } },
} as const

/** Files for whoever has a signed link. */
export function fileRoutes(parts: StorageParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/public/files/{token}',
      summary: 'Download the object that a signed link names',
      auth: 'none',
      answers: [{ types: ['*/*'] }],
      schema: { params },
      errors: [4032, 4040, 4043],
      async handler({ params: { token } }) {
        const id = openToken(parts.signingKey, token)
        const found = await openObject(parts, () => findById(parts.db, id))
        if (!found) throw new NotFoundError()
        return raw(found.content, found.row.contentType, { headers: headersOf(found.row) })
      },
    }),
  ]
}

/** A stored file comes from somebody: no browser may run it as a page of ours. */
function headersOf({ key, size }: StorageObject): Readonly<Record<string, string>> {
  const name = key.slice(key.lastIndexOf('/') + 1)
  const plain = name.replace(/[^\w.-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return {
    'content-length': size,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  }
}
