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
const mostAtOnce = 131_072
/** What stands across a cut is seen in one of the pieces, if it is no longer. */
const overlap = 4_096

/** Texts in batches that fit into a call; long ones in pieces that overlap. */
export function cutTexts(texts: readonly RoledText[]): readonly (readonly Piece[])[] {
  const batches: Piece[][] = []
  let size = Infinity
  for (const piece of texts.flatMap(piecesOf)) {
    if (size + piece.text.length > mostAtOnce) {
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
  for (let offset = 0; offset < text.length || offset === 0; offset += mostAtOnce - overlap) {
    pieces.push({ role, text: text.slice(offset, offset + mostAtOnce), of, offset })
    if (offset + mostAtOnce >= text.length) break
  }
  return pieces
}
