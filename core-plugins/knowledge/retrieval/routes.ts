import { defineRoute, type Route } from '#kernel'
import { baseParams, searchAnswer, searchBody } from '../bases/schemas.ts'
import { may } from '../may.ts'
import type { Retrieval } from './retrieval.ts'

/** Looking in knowledge bases, as administrators try it out. */
export function searchRoutes(retrieval: Retrieval): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/ai/knowledge-bases/{knowledge_base_id}/search',
      summary: 'Try out what a knowledge base finds',
      permission: may('detail'),
      schema: { params: baseParams, body: searchBody, response: searchAnswer },
      errors: [4040],
      handler: ({ principal, params, body, state, signal }) =>
        retrieval.tryOut(principal, params.knowledge_base_id, body, { traceId: state.traceId, signal }),
    }),
  ]
}
