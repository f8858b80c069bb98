import type { ChatCitation, ChatSection } from '../../chat/contract.ts'
import type { KnowledgeChunk } from '../contract.ts'
import { citationsOf } from '../retrieval/citations.ts'

/** A chunk with the number that answers name it by. */
interface NumberedChunk {
  readonly index: number
  readonly chunk: KnowledgeChunk
}

const rules = {
  found:
    'Answer from the sources where they say something about the question, and name each source that you use as [1], by its number. ' +
    'Never name a number that no source of this turn has.',
  none: 'Nothing was found in the knowledge bases for this question: say so, and name no source.',
} as const

/** What was found for one answer: each chunk keeps the number under which the model first saw it. */
export class Sources {
  readonly #chunks: KnowledgeChunk[] = []

  /** Numbers chunks; one that was found before keeps its number. */
  add(chunks: readonly KnowledgeChunk[]): readonly NumberedChunk[] {
    return chunks.map((chunk) => {
      const known = this.#chunks.findIndex(({ chunkId }) => chunkId === chunk.chunkId)
      return { chunk, index: known === -1 ? this.#chunks.push(chunk) : known + 1 }
    })
  }

  /** Only what was found for this user, in this run, can be cited. */
  cite(answer: string): readonly ChatCitation[] {
    return citationsOf(answer, this.#chunks)
  }
}

/** What the model is told of chunks: how to name them, and each as data of its own, so that none can pass for another. */
export function sourceSections(numbered: readonly NumberedChunk[]): readonly ChatSection[] {
  const rule = numbered.length > 0 ? rules.found : rules.none
  return [
    { name: 'sources', kind: 'instructions', text: rule },
    ...numbered.map(({ index, chunk }) => ({
      ...{ name: `source ${String(index)}`, kind: 'data' as const },
      text: [placeOf(chunk), chunk.text].join('\n'),
    })),
  ]
}

/** What a call of the tool answers. */
export function presentSources(numbered: readonly NumberedChunk[]) {
  return numbered.map(({ index, chunk }) => ({ source: index, from: placeOf(chunk), text: chunk.text }))
}

function placeOf({ title, headings, page }: KnowledgeChunk): string {
  const named = [title, ...headings].join(' › ')
  return page === null ? named : `${named}, page ${String(page)}`
}
