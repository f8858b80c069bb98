import type { Vendor } from '../../vendor.ts'
import { readGeminiAnswer } from './answer.ts'
import { readGeminiEmbeddings, writeGeminiEmbeddings } from './embeddings.ts'
import { geminiFault } from './fault.ts'
import { readGeminiModels } from './models.ts'
import { GeminiReader } from './reader.ts'
import { writeGeminiRequest } from './request.ts'

/** Google's Gemini API. */
export const gemini: Vendor = {
  type: 'gemini',
  wire: 'gemini',
  chat(request, { upstreamModel, secrets, maxOutputTokens }) {
    const { body, dropped } = writeGeminiRequest(request, maxOutputTokens)
    const verb = request.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return { method: 'POST', path: `${pathOf(upstreamModel)}:${verb}`, headers: headersOf(secrets), body, dropped }
  },
  embeddings(request, { upstreamModel, secrets }) {
    const { body, dropped } = writeGeminiEmbeddings(request, upstreamModel)
    const path = `${pathOf(upstreamModel)}:batchEmbedContents`
    return { method: 'POST', path, headers: headersOf(secrets), body, dropped }
  },
  models(secrets) {
    return { method: 'GET', path: '/models?pageSize=1000', headers: headersOf(secrets), body: undefined, dropped: [] }
  },
  readModels: readGeminiModels,
  readAnswer: readGeminiAnswer,
  readEmbeddings: readGeminiEmbeddings,
  reader: () => new GeminiReader(),
  fault: geminiFault,
}

function pathOf(model: string): string {
  return `/models/${encodeURIComponent(model)}`
}

function headersOf({ api_key: key }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', ...(key !== undefined && { 'x-goog-api-key': key }) }
}
