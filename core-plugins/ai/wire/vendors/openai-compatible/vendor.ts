import type { ReadOptions, Vendor, VendorCall, VendorType } from '../../vendor.ts'
import { readOpenAiAnswer } from './answer.ts'
import { readOpenAiEmbeddings, writeOpenAiEmbeddings } from './embeddings.ts'
import { openAiFault } from './fault.ts'
import { readModelIds } from './models.ts'
import { OpenAiReader } from './reader.ts'
import { writeOpenAiRequest, type OpenAiVariant } from './request.ts'
import { readResponseAnswer } from './responses/answer.ts'
import { ResponsesReader } from './responses/reader.ts'
import { writeResponsesRequest } from './responses/request.ts'
import { speaksResponses } from './responses/speaks.ts'

/** OpenAI and whatever speaks its chat completions: vLLM, DeepSeek, Mistral, OpenRouter and most others. */
export const openAiCompatible = createOpenAiVendor('openai_compatible', { authorization: 'bearer' })

/** Azure's `/openai/v1`: the same, with a header of its own for the key; a deployment is a model. */
export const azureOpenAi = createOpenAiVendor('azure_openai', { authorization: 'api-key' })

/** Ollama's `/v1`, which knows the older name of the output limit alone. */
export const ollama = createOpenAiVendor('ollama', { authorization: 'bearer', maxTokensField: 'max_tokens' })

function createOpenAiVendor(type: VendorType, variant: OpenAiVariant): Vendor {
  const post = (
    path: string,
    secrets: Readonly<Record<string, string>>,
    body: string,
  ): Omit<VendorCall, 'dropped'> => ({
    ...{ method: 'POST', path, body },
    headers: { 'content-type': 'application/json', ...credential(variant, secrets) },
  })
  return {
    type,
    wire: 'chat_completions',
    chat(request, options) {
      if (speaksResponses(request, options)) {
        const { body, dropped } = writeResponsesRequest(request, options)
        return { ...post('/responses', options.secrets, body), dropped, wire: 'responses' }
      }
      const { body, dropped } = writeOpenAiRequest(request, options, variant)
      return { ...post('/chat/completions', options.secrets, body), dropped }
    },
    embeddings(request, { secrets, upstreamModel }) {
      return { ...post('/embeddings', secrets, writeOpenAiEmbeddings(request, upstreamModel)), dropped: [] }
    },
    models(secrets) {
      const headers = credential(variant, secrets)
      return { method: 'GET', path: '/models', headers, body: undefined, dropped: [] }
    },
    readModels: readModelIds,
    readAnswer: (body, options) => (isResponses(options) ? readResponseAnswer : readOpenAiAnswer)(body, options),
    readEmbeddings: readOpenAiEmbeddings,
    reader: (options) => new (isResponses(options) ? ResponsesReader : OpenAiReader)(options?.frames ?? false),
    fault: openAiFault,
  }
}

function isResponses(options: ReadOptions | undefined): boolean {
  return options?.wire === 'responses'
}

function credential(
  { authorization }: OpenAiVariant,
  { api_key: key }: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (key === undefined || key === '') return {}
  return authorization === 'bearer' ? { authorization: `Bearer ${key}` } : { 'api-key': key }
}
