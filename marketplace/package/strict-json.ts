import { scanJson } from '#sandbox'

/** The value of JSON that says everything once and nests to a bounded depth, or nothing. */
export function parseStrictJson(file: Buffer, maxDepth: number): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file)
    return scanJson(text, maxDepth) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
