import { scanJson } from '#sandbox'

/** The value of JSON that says everything once and nests to a bounded depth, or nothing. */
export function parseStrictJson(file: Buffer, maxDepth: number): unknown {
  return parseJson(readStrictText(file, maxDepth))
}

/** The text of such a file, which may still be no JSON, or nothing. */
export function readStrictText(file: Buffer, maxDepth: number): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file)
    return scanJson(text, maxDepth) ? undefined : text
  } catch {
    return undefined
  }
}

/** What a text says in JSON, or nothing. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
