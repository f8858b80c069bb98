import { scanJsonInSteps } from '#sandbox'
import { atOnce, type Sliced } from '../in-slices.ts'

/** The value of JSON that says everything once and nests to a bounded depth, or nothing. */
export function parseStrictJson(file: Buffer, maxDepth: number): unknown {
  return parseJson(atOnce(readStrictText(file, maxDepth)))
}

/** The text of such a file, which may still be no JSON, or nothing. */
export function* readStrictText(file: Buffer, maxDepth: number): Sliced<string | undefined> {
  const text = decode(file)
  return text === undefined || (yield* scanJsonInSteps(text, maxDepth)) ? undefined : text
}

/** What a text says in JSON, or nothing. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function decode(file: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file)
  } catch {
    return undefined
  }
}
