import type { KnowledgeChunk } from '../contract.ts'
import type { KnowledgeBaseRow } from '../tables.ts'
import { fuse } from './fuse.ts'
import type { FoundChunk } from './lexical.ts'

/**
 * The cosine that a chunk must have where no word speaks for it, unless everything is wanted: models give a little likeness to whatever they
 * compare.
 */
const leastSimilarity = 0.35

/** The chunks that are found both ways in one order: those with the scores that their knowledge bases demand, or that was asked for. */
export function best(
  { lexical, similar }: { readonly lexical: readonly FoundChunk[]; readonly similar: readonly FoundChunk[] },
  bases: readonly KnowledgeBaseRow[],
  topK = Math.max(0, ...bases.map((base) => base.topK)),
  minScore?: number,
): readonly KnowledgeChunk[] {
  const floors = new Map(bases.map((base) => [base.id, minScore ?? base.minScore]))
  const floorOf = ({ baseId }: FoundChunk): number => floors.get(baseId) ?? 1
  const byWords = lexical.filter((chunk) => chunk.score > 0 && chunk.score >= floorOf(chunk))
  const byMeaning = similar.filter((chunk) => {
    const floor = floorOf(chunk)
    return chunk.score >= (floor === 0 ? 0 : Math.max(floor, leastSimilarity))
  })
  return fuse([byWords, byMeaning])
    .slice(0, topK)
    .map(({ id, documentId, baseId, title, headings, page, text, score }) => {
      const ids = { chunkId: id, documentId, knowledgeBaseId: baseId }
      return { ...ids, title, headings, page, text, score: Math.round(score * 1000) / 1000 }
    })
}
