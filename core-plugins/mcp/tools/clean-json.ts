/**
 * Control characters beyond ASCII, and what is not seen when it is printed: formats, fillers and variation selectors, in which whole texts can
 * be hidden. Joiners stay where scripts need them, between letters that are not Latin.
 */
const unseen =
  /[\u007f-\u009f[[\p{Cf}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]]|(?<![[\p{L}\p{M}]--\p{Script=Latin}])[\u200c\u200d]|[\u200c\u200d](?![[\p{L}\p{M}]--\p{Script=Latin}])/gv

/** A JSON value without characters that somebody who approves it would not see. */
export function cleanJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(unseen, '').toWellFormed()) as unknown
}

/** How deep a JSON value is; ends at `limit`. */
export function depthOf(value: unknown, limit: number): number {
  let level: unknown[] = [value]
  for (let depth = 0; ; depth++) {
    const next = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    )
    if (next.length === 0 || depth >= limit) return depth
    level = next
  }
}

/** A JSON value as one text: members in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
