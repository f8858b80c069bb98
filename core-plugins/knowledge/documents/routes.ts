import { created, data, defineRoute, deletedBody, readPage, type Route } from '#kernel'
import { baseParams } from '../bases/schemas.ts'
import { may } from '../may.ts'
import { documentBody, documentPage, documentParams, documentQuery, newDocument } from './schemas.ts'
import type { DocumentService } from './service.ts'

const path = '/admin/ai/knowledge-bases/{knowledge_base_id}/documents'
const one = `${path}/{document_id}`
const sortable = ['-created_at', 'title', 'status', 'updated_at', 'chunk_count', 'size']

/** Documents of knowledge bases. */
export function documentRoutes(documents: DocumentService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List the documents of a knowledge base',
      permission: may('detail'),
      schema: { params: baseParams, query: documentQuery, response: documentPage },
      errors: [4040],
      handler: ({ principal, params, query }) =>
        documents.list(principal, params.knowledge_base_id, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Add a document to a knowledge base, which is indexed at once',
      permission: may('update'),
      answers: [201],
      schema: { params: baseParams, body: newDocument, response: documentBody },
      errors: [4002, 4040, 4229],
      handler: async (ctx) => created(await documents.create(ctx.params.knowledge_base_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: one,
      summary: 'Read how a document of a knowledge base stands',
      permission: may('detail'),
      schema: { params: documentParams, response: documentBody },
      errors: [4040],
      handler: ({ principal, params }) => documents.get(principal, params.knowledge_base_id, params.document_id),
    }),
    defineRoute({
      method: 'delete',
      path: one,
      summary: 'Take a document out of a knowledge base',
      permission: may('update'),
      schema: { params: documentParams, response: deletedBody },
      errors: [4040],
      handler: async (ctx) => {
        await documents.delete(ctx.params.knowledge_base_id, ctx.params.document_id, ctx)
        return { deleted: true }
      },
    }),
    defineRoute({
      method: 'post',
      path: `${one}/retry`,
      summary: 'Index a document anew; what it has in the index stays until it has what is new',
      permission: may('update'),
      schema: { params: documentParams, response: documentBody },
      errors: [4040, 4094],
      handler: async (ctx) => data(await documents.retry(ctx.params.knowledge_base_id, ctx.params.document_id, ctx)),
    }),
  ]
}
