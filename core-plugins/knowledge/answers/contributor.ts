import type { ChatContributor } from '../../chat/contract.ts'
import type { KnowledgeRetrieval } from '../contract.ts'
import { tellingTerms } from '../retrieval/question-terms.ts'
import { DocumentTexts } from './document-text.ts'
import { searchTool } from './search-tool.ts'
import { Sources, sourceSections } from './sources.ts'

/**
 * Looks in an agent's knowledge bases before it answers, with the rights of who asks: what somebody may not read is neither told to the
 * model nor cited, whoever made the agent.
 */
export function knowledgeContributor(retrieval: Pick<KnowledgeRetrieval, 'search'>): ChatContributor {
  const texts = new DocumentTexts()
  return {
    name: 'knowledge',
    termsOf: tellingTerms,
    readDocument: (file, signal) => texts.read(file, signal),
    async prepare({ agent, user, question, knowledgeBaseIds: wanted, traceId, signal }) {
      const own = agent.definition.knowledge_base_ids ?? []
      const knowledgeBaseIds = own.filter((id) => wanted === null || wanted.includes(id))
      if (knowledgeBaseIds.length === 0) return {}
      const about = { knowledgeBaseIds, agentId: agent.id }
      const { mode, chunks } = await retrieval.search(user, { text: question, ...about, traceId, signal })
      const sources = new Sources()
      return {
        sections: sourceSections(sources.add(chunks)),
        tools: [searchTool(retrieval, sources, about)],
        context: { retrieved: chunks.length, mode },
        cite: (answer) => sources.cite(answer),
      }
    },
  }
}
