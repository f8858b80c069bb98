import type { FoundChunk } from './lexical.ts'

/** As Cormack, Clarke and Büttcher have it, "Reciprocal Rank Fusion" (SIGIR 2009). */
const rankConstant = 60

/** One order of several lists, by the sum of the reciprocal ranks; a chunk has the best of its scores. */
export function fuse(lists: readonly (readonly FoundChunk[])[]): readonly FoundChunk[] {
  const sums = new Map<string, { readonly chunk: FoundChunk; readonly sum: number }>()
  for (const list of lists) {
    for (const [rank, chunk] of list.entries()) {
      const known = sums.get(chunk.id)
      const best = known && known.chunk.score > chunk.score ? known.chunk : chunk
      sums.set(chunk.id, { chunk: best, sum: (known?.sum ?? 0) + 1 / (rankConstant + rank + 1) })
    }
  }
  return [...sums.values()].sort((a, b) => b.sum - a.sum || b.chunk.score - a.chunk.score).map(({ chunk }) => chunk)
}
