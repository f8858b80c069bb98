import { cannotCarry } from '../../faults.ts'
import { isObject, present } from '../../json.ts'
import type { NeutralEmbeddingRequest, NeutralEmbeddings } from '../../neutral.ts'
import { parseSaid, unreadable } from '../said.ts'

/** A request for vectors as the body of a `batchEmbedContents`. */
export function writeGeminiEmbeddings(
  { input, dimensions: outputDimensionality, user, extra }: NeutralEmbeddingRequest,
  upstreamModel: string,
): { readonly body: string; readonly dropped: readonly string[] } {
  const requests = input.map((text) => {
    if (typeof text !== 'string') throw cannotCarry('input', 'texts alone, not their tokens')
    return present({ model: `models/${upstreamModel}`, content: { parts: [{ text }] }, outputDimensionality })
  })
  const dropped = [...Object.keys(extra), ...(user === undefined ? [] : ['user'])]
  return { body: JSON.stringify({ requests }), dropped }
}

/** Reads vectors; Gemini does not say how many tokens they took. */
export function readGeminiEmbeddings(body: string): NeutralEmbeddings {
  const { embeddings } = parseSaid(body)
  if (!Array.isArray(embeddings)) throw unreadable('The answer has no vectors')
  const vectors = embeddings.map((embedding: unknown) => {
    const values: unknown = isObject(embedding) ? embedding['values'] : undefined
    if (Array.isArray(values) && values.every((each) => typeof each === 'number')) return values
    throw unreadable('A vector of the answer cannot be read')
  })
  return { vectors, usage: undefined }
}
