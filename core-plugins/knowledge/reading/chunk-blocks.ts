import { countTerms, tokenize } from '../retrieval/tokenize.ts'
import type { Block, ReadChunk } from './wire.ts'

/** Tokens of a chunk, about. */
const chunkTokens = 350
/** What a chunk says again of the end of the one before it, 15 per cent. */
const overlapTokens = 52
/** Characters that are surely more than a chunk. */
const longestPiece = 1_400
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** Cuts the text of a document into chunks that say in part what the one before says; one stands under the same headings throughout. */
export function* chunkBlocks(blocks: Iterable<Block>, title: string): Generator<ReadChunk> {
  let pieces: Piece[] = []
  let size = 0
  let fresh = 0
  let under: Block | undefined

  function chunk(): ReadChunk | undefined {
    if (fresh === 0 || !under) return undefined
    const text = pieces
      .map((piece) => piece.text)
      .join('')
      .trim()
    const { headings } = under
    const terms = tokenize([title, ...headings, text].join('\n'))
    return { headings, page: pieces[0]?.page ?? null, text, termCount: terms.length, terms: [...countTerms(terms)] }
  }

  for (const block of blocks) {
    const isElsewhere = under && !sameHeadings(under, block)
    if (isElsewhere) {
      const made = chunk()
      if (made) yield made
      ;[pieces, size, fresh] = [[], 0, 0]
    }
    under = block
    for (const piece of piecesOf(block)) {
      if (fresh > 0 && size + piece.tokens > chunkTokens) {
        const made = chunk()
        if (made) yield made
        pieces = lastOf(pieces)
        size = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
        fresh = 0
      }
      pieces.push(piece)
      size += piece.tokens
      fresh += 1
    }
  }
  const made = chunk()
  if (made) yield made
}

/** About as many tokens as models see: one for each letter of Chinese, Japanese and Korean, one for four characters of others. */
function countTokens(text: string): number {
  const letters = text.match(dense)?.length ?? 0
  return letters + Math.ceil((text.length - letters) / 4)
}

interface Piece {
  readonly text: string
  readonly tokens: number
  readonly page: number | null
}

/** Sentences and lines; what has neither is cut. */
function* piecesOf({ text, page }: Block): Generator<Piece> {
  const sentences = `${text}\n`.match(/[^\n]*?(?:[。！？!?]+["'”’」』）)]*|\.(?=\s)|;(?=\s)|\n)+|[^\n]+$/g) ?? []
  for (const sentence of sentences) {
    const step = countTokens(sentence) <= chunkTokens ? sentence.length : Math.floor(longestPiece / 4)
    let at = 0
    while (at < sentence.length) {
      // A letter of two halves stays whole.
      const end = at + step + (/^[\uD800-\uDBFF]/.test(sentence.charAt(at + step - 1)) ? 1 : 0)
      const part = sentence.slice(at, end)
      if (part.trim() !== '' || at === 0) yield { text: part, tokens: countTokens(part), page }
      at = end
    }
  }
}

/** The last pieces, as far as they fit into the overlap. */
function lastOf(pieces: readonly Piece[]): Piece[] {
  let tokens = 0
  const first = pieces.findLastIndex((piece) => (tokens += piece.tokens) > overlapTokens)
  return pieces.slice(first + 1)
}

function sameHeadings({ headings: a }: Block, { headings: b }: Block): boolean {
  return a.length === b.length && a.every((heading, at) => heading === b[at])
}
