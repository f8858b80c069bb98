const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Map([...digits].map((digit, value) => [digit, value]))

/**
 * How many bytes of a bundle come from each source, by the bundle's source map (version 3, ECMA-426): what stands between two
 * segments belongs to the first of them. A map that cannot be read tells nothing.
 */
export function bytesBySource(code: string, mapText: string): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  const map = readMap(mapText)
  if (!map) return sizes
  const lines = code.split('\n')
  let source = 0
  for (const [at, group] of map.mappings.split(';').entries()) {
    const line = lines[at]
    if (line === undefined) break
    const starts: { column: number; source: number }[] = []
    let column = 0
    for (const segment of group.split(',')) {
      const [columnStep, sourceStep] = decode(segment)
      if (columnStep === undefined) continue
      column += columnStep
      if (sourceStep === undefined) continue
      source += sourceStep
      starts.push({ column, source })
    }
    for (const [index, { column: from, source: of }] of starts.entries()) {
      const name = map.sources[of]
      if (typeof name !== 'string') continue
      const text = line.slice(from, starts[index + 1]?.column)
      sizes.set(name, (sizes.get(name) ?? 0) + Buffer.byteLength(text))
    }
  }
  return sizes
}

function readMap(text: string): { readonly sources: readonly unknown[]; readonly mappings: string } | undefined {
  try {
    const { sources, mappings } = JSON.parse(text) as Readonly<Record<string, unknown>>
    return Array.isArray(sources) && typeof mappings === 'string' ? { sources, mappings } : undefined
  } catch {
    return undefined
  }
}

/** The numbers of a segment in base64 VLQ. */
function decode(segment: string): readonly number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const letter of segment) {
    const digit = values.get(letter) ?? 0
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return numbers
}
