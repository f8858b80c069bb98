import type { ChatTool } from '../../chat/contract.ts'
import type { KnowledgeRetrieval } from '../contract.ts'
import { presentSources, type Sources } from './sources.ts'

const longestQuery = 1_000

/** Lets the model look again, in words of its own; for its user and in the agent's knowledge bases alone, whatever it asks. */
export function searchTool(
  retrieval: Pick<KnowledgeRetrieval, 'search'>,
  sources: Sources,
  about: { readonly knowledgeBaseIds: readonly string[]; readonly agentId: string },
): ChatTool {
  return {
    ...{ name: 'knowledge_search', title: 'Search the knowledge bases', origin: 'knowledge', asks: false },
    description:
      'Looks in the knowledge bases of this assistant. Use it where the sources that you have say nothing about the question.',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: { query: { type: 'string', minLength: 1, maxLength: longestQuery } },
    },
    async call(input, { user, traceId, signal }) {
      const query = queryOf(input)
      if (query === undefined) {
        const errors = [{ field: 'query', rule: 'type', message: 'must be a text that is not empty' }]
        return { ok: false, code: 4220, reason: 'validation_failed', message: 'The argument does not fit', errors }
      }
      const { chunks } = await retrieval.search(user, { text: query, ...about, traceId, signal })
      return { ok: true, content: { sources: presentSources(sources.add(chunks)) } }
    },
  }
}

function queryOf(input: unknown): string | undefined {
  const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : undefined
  return typeof query === 'string' && query.trim() !== '' ? query.slice(0, longestQuery) : undefined
}
