/** What a guardrail is asked about. */
export interface RoledText {
  readonly role: string
  readonly text: string
}

/** A piece of one of several texts. */
interface Piece extends RoledText {
  readonly of: number
  readonly offset: number
}

/** Characters that go into a sandbox at once. */
const MOST_AT_ONCE = 131_072
/** What stands across a cut is seen in one of the pieces, if it is no longer. */
const OVERLAP = 4_096

/** Texts in batches that fit into a call; long ones in pieces that overlap. */
export function cutTexts(texts: readonly RoledText[]): readonly (readonly Piece[])[] {
  const batches: Piece[][] = []
  let size = Infinity
  for (const piece of texts.flatMap(piecesOf)) {
    if (size + piece.text.length > MOST_AT_ONCE) {
      batches.push([])
      size = 0
    }
    batches.at(-1)?.push(piece)
    size += piece.text.length
  }
  return batches
}

function piecesOf({ role, text }: RoledText, of: number): readonly Piece[] {
  const pieces: Piece[] = []
  for (let offset = 0; offset < text.length || offset === 0; offset += MOST_AT_ONCE - OVERLAP) {
    pieces.push({ role, text: text.slice(offset, offset + MOST_AT_ONCE), of, offset })
    if (offset + MOST_AT_ONCE >= text.length) break
  }
  return pieces
}
