/** What values add to a row: bytes of their own, and how often they repeat what the row had. */
export interface Weight {
  readonly bytes: number
  readonly copies: number
}

/** Texts, names, casts and numbers of SQL as it was written anew; within a text nothing else is found. */
const pieces = /E?'(?:[^'\\]|\\.|'')*'|"[a-z0-9_]+"|::|\bchar\((?<padded>\d+)\)|\bround\(|[0-9.]+/g
/** A value of any other type, with what is kept beside it. */
const valueBytes = 16
/** What a cast makes of its value at most, as far as anybody writes it for a purpose: `bytea` and back, texts of arrays. */
const castFactor = 4
/** Digits that a number may be rounded to. */
const roundedBytes = 16_384

/** Weighs the values of a row, from above. */
export function weigh(values: readonly string[]): Weight {
  let bytes = 0
  const copies = new Map<string, number>()
  for (const value of values) {
    let own = valueBytes
    let factor = 1
    const names: string[] = []
    for (const { 0: piece, groups } of value.matchAll(pieces)) {
      if (piece === '::') factor *= castFactor
      else if (piece === 'round(') own += roundedBytes
      else if (piece.startsWith('"')) names.push(piece)
      else own += groups?.['padded'] === undefined ? Buffer.byteLength(piece) : Number(groups['padded'])
    }
    bytes += own * factor
    for (const name of names) copies.set(name, (copies.get(name) ?? 0) + factor)
  }
  return { bytes, copies: Math.max(0, ...copies.values()) }
}
