import { created, defineRoute, deletedBody, pageOf, readPage, type Route } from '#kernel'
import { publisherBody, publisherParams, publisherQuery, publisherRecord } from './schemas.ts'
import type { PublisherService } from './service.ts'

const sortable = ['publisher', 'id', 'kid', 'level', 'created_at']

/** The publishers that this site trusts, under one prefix. */
export function trustRoutes(
  { publishers }: { readonly publishers: PublisherService },
  prefix: string,
): readonly Route[] {
  const shared = { auth: 'platform', permission: 'marketplace:sources' } as const
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: `${prefix}/publishers`,
      summary: 'List the publishers whose signatures this site trusts of its own accord',
      schema: { query: publisherQuery, response: pageOf(publisherRecord) },
      handler: ({ query }) => publishers.list(readPage(query, sortable), query),
    }),
    defineRoute({
      ...shared,
      method: 'post',
      path: `${prefix}/publishers`,
      summary: "Trust a publisher's key",
      answers: [201],
      schema: { body: publisherBody, response: publisherRecord },
      errors: [4091],
      async handler({ body, principal }) {
        const { publisher, kid, public_key: publicKey, level } = body
        return created(await publishers.create({ publisher, kid, publicKey, level }, principal))
      },
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      path: `${prefix}/publishers/{publisher_id}`,
      summary: "Trust a publisher's key no longer",
      schema: { params: publisherParams, response: deletedBody },
      errors: [4040],
      async handler({ params, principal }) {
        await publishers.delete(params.publisher_id, principal)
        return { deleted: true }
      },
    }),
  ]
}
