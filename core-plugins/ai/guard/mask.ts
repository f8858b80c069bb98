/** A place in a text. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** What stands in the place of what nobody is to see; harmless in the JSON of arguments too. */
const mask = '***'

/** A text with places masked, which are in order and apart. */
export function maskRanges(text: string, ranges: readonly Range[]): string {
  let masked = ''
  let at = 0
  for (const { start, end } of ranges) {
    masked += text.slice(at, start) + mask
    at = end
  }
  return masked + text.slice(at)
}

/** Places in order and apart. */
export function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && range.start <= last.end) joined[joined.length - 1] = { ...last, end: Math.max(last.end, range.end) }
    else joined.push(range)
  }
  return joined
}
