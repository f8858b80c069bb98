import type { KnowledgeChunk, KnowledgeCitation } from '../contract.ts'

const named = /\[(\d{1,3}(?:\s*[,，]\s*\d{1,3})*)\]/g
const longestQuote = 240

/** The chunks that an answer names, in its order, each once; numbers that name none are dropped. */
export function citationsOf(answer: string, chunks: readonly KnowledgeChunk[]): readonly KnowledgeCitation[] {
  const numbers = [...answer.matchAll(named)].flatMap(([, list = '']) => list.split(/[,，]/).map(Number))
  return [...new Set(numbers)].flatMap((index) => {
    const chunk = chunks[index - 1]
    if (!chunk) return []
    const { knowledgeBaseId, documentId, chunkId, title, score, text } = chunk
    const ids = { knowledge_base_id: knowledgeBaseId, document_id: documentId, chunk_id: chunkId }
    return [{ index, ...ids, title, score, quote: text.slice(0, longestQuote).toWellFormed() }]
  })
}
