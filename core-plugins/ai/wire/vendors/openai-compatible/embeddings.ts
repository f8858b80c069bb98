import { isObject, present } from '../../json.ts'
import type { NeutralEmbeddingRequest, NeutralEmbeddings } from '../../neutral.ts'
import { parseSaid, unreadable } from '../said.ts'
import { readOpenAiUsage } from './usage.ts'

/** A request for vectors as the body of a `POST /embeddings`; base64 is a third of the size of digits. */
export function writeOpenAiEmbeddings(
  { input, dimensions, user, extra }: NeutralEmbeddingRequest,
  upstreamModel: string,
): string {
  return JSON.stringify(present({ ...extra, model: upstreamModel, input, dimensions, user, encoding_format: 'base64' }))
}

/** Reads vectors, in the order of the texts; servers that know no base64 send numbers. */
export function readOpenAiEmbeddings(body: string): NeutralEmbeddings {
  const { data, usage } = parseSaid(body)
  if (!Array.isArray(data)) throw unreadable('The answer has no vectors')
  const rows = data.filter(isObject).map((row, at) => ({ at: Number(row['index'] ?? at), vector: row['embedding'] }))
  const vectors = rows.sort((a, b) => a.at - b.at).map(({ vector }) => readVector(vector))
  return { vectors, usage: readOpenAiUsage(usage) }
}

function readVector(value: unknown): readonly number[] {
  if (typeof value === 'string') return floatsOf(value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'number')) return value
  throw unreadable('A vector of the answer cannot be read')
}

/** Little-endian 32-bit floats in base64. */
function floatsOf(base64: string): readonly number[] {
  const bytes = Buffer.from(base64, 'base64')
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
}
