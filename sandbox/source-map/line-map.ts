import { isTooDeep } from '../json-depth.ts'

const maxSources = 5_000
const maxLines = 200_000
const maxSegments = 500_000
const maxName = 200
/** A relative path that stays where it is: what a terminal, a log or a file system could misread is no name of a source. */
const sourceForm = /^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[\w@.+ /-]+$/
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = Int8Array.from({ length: 128 }, (_, code) => digits.indexOf(String.fromCharCode(code)))
const fields = 4

/** A place in one of the author's files; lines and columns count from 1. */
interface SourcePlace {
  readonly source: string
  readonly line: number
  readonly column: number
}

/** Where the lines of a bundle come from. Made of an author's source map, which may be anything. */
export class LineMap {
  readonly #sources: readonly (string | undefined)[]
  /** Generated column, source, line and column of each segment, one after the other. */
  readonly #segments: Int32Array
  /** The first segment of each generated line. */
  readonly #lines: Int32Array

  private constructor(sources: readonly (string | undefined)[], { segments, lines }: Decoded) {
    this.#sources = sources
    this.#segments = segments
    this.#lines = lines
  }

  /** Reads a source map, version 3 (ECMA-426); undefined when it is none, or larger than a map of a plugin can be. */
  static parse(text: string): LineMap | undefined {
    const map = readJson(text)
    const { version, sources, mappings } = map ?? {}
    if (version !== 3 || !Array.isArray(sources) || sources.length > maxSources) return undefined
    const decoded = typeof mappings === 'string' ? decode(mappings) : undefined
    return decoded && new LineMap(sources.map(toSource), decoded)
  }

  /** Where a place in the bundle comes from; undefined when the map does not say. */
  find(line: number, column: number): SourcePlace | undefined {
    let low = this.#lines[line - 1] ?? 0
    let high = this.#lines[line] ?? 0
    const end = high
    const start = low
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#segments[middle * fields] ?? 0) <= column - 1) low = middle + 1
      else high = middle
    }
    if (low === start || start === end) return undefined
    const [source, sourceLine, sourceColumn] = this.#segments.subarray((low - 1) * fields + 1, low * fields)
    const name = this.#sources[source ?? -1]
    return name === undefined
      ? undefined
      : { source: name, line: (sourceLine ?? 0) + 1, column: (sourceColumn ?? 0) + 1 }
  }
}

interface Decoded {
  readonly segments: Int32Array
  readonly lines: Int32Array
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  if (isTooDeep(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function toSource(name: unknown): string | undefined {
  return typeof name === 'string' && name.length <= maxName && sourceForm.test(name) ? name : undefined
}

/** Base64 VLQ: lines are separated by semicolons, segments by commas, fields are differences to the segment before. */
function decode(mappings: string): Decoded | undefined {
  const segments: number[] = []
  const lines: number[] = [0]
  const state = [0, 0, 0, 0]
  let field = 0
  let value = 0
  let shift = 0
  const endSegment = (): void => {
    if (field >= fields) segments.push(...state)
    field = 0
  }
  for (let at = 0; at < mappings.length; at++) {
    const code = mappings.charCodeAt(at)
    if (code === 0x2c || code === 0x3b) {
      endSegment()
      if (code === 0x2c) continue
      state[0] = 0
      if (lines.push(segments.length / fields) > maxLines) return undefined
      continue
    }
    const digit = values[code] ?? -1
    if (digit < 0 || shift > 25) return undefined
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    const difference = value & 1 ? -(value >>> 1) : value >>> 1
    if (field < fields) {
      const next = (state[field] ?? 0) + difference
      if (next < 0 || next > 0x7fffffff) return undefined
      state[field] = next
    }
    field++
    value = 0
    shift = 0
    if (segments.length > maxSegments * fields) return undefined
  }
  endSegment()
  lines.push(segments.length / fields)
  return { segments: Int32Array.from(segments), lines: Int32Array.from(lines) }
}
