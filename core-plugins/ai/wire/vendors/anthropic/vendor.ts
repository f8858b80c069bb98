import type { Vendor, VendorCall } from '../../vendor.ts'
import { readModelIds } from '../openai-compatible/models.ts'
import { readAnthropicAnswer } from './answer.ts'
import { anthropicFault } from './fault.ts'
import { AnthropicReader } from './reader.ts'
import { writeAnthropicRequest } from './request.ts'

/** Anthropic's messages. */
export const anthropic: Vendor = {
  type: 'anthropic',
  wire: 'messages',
  chat(request, options) {
    const { body, dropped } = writeAnthropicRequest(request, options)
    const own = request.source?.wire === 'messages' ? request.source.headers : undefined
    const headers = { ...own, 'content-type': 'application/json', ...credential(options.secrets) }
    return { method: 'POST', path: '/messages', headers, body, dropped }
  },
  models(secrets): VendorCall {
    return { method: 'GET', path: '/models?limit=1000', headers: credential(secrets), body: undefined, dropped: [] }
  },
  readModels: readModelIds,
  readAnswer: readAnthropicAnswer,
  reader: (options) => new AnthropicReader(options?.frames ?? false),
  fault: anthropicFault,
}

function credential({ api_key: key }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }
}
