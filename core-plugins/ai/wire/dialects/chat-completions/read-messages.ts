import { fieldFault } from '../../faults.ts'
import { isObject, listAt, Members, nameAt, objectAt, present, textAt, type JsonObject } from '../../json.ts'
import { readMediaUrl } from '../../media.ts'
import type { NeutralMessage, NeutralPart } from '../../neutral.ts'
import { readReasoningOf } from './reasoning.ts'

const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const

/** Reads the messages of a chat completion. */
export function readMessages(list: readonly unknown[]): readonly NeutralMessage[] {
  if (list.length === 0) throw fieldFault('messages', 'must not be empty')
  return list.map((value, at) => readMessage(objectAt(value, `messages[${at}]`), `messages[${at}]`))
}

function readMessage(message: JsonObject, path: string): NeutralMessage {
  const role = roles.find((name) => name === message['role'])
  if (role === undefined) throw fieldFault(`${path}.role`, `must be one of ${roles.join(', ')}`)
  const name = new Members(message, path).text('name')
  const parts = readBody(role, message, path)
  return { role, parts, ...(name !== undefined && { name }) }
}

function readBody(role: NeutralMessage['role'], message: JsonObject, path: string): readonly NeutralPart[] {
  if (role === 'assistant') return readAssistant(message, path)
  const parts = readContent(message['content'], `${path}.content`)
  if (role !== 'tool') return parts
  const callId = nameAt(message['tool_call_id'], `${path}.tool_call_id`)
  return [{ type: 'tool_result', callId, parts }]
}

function readAssistant(message: JsonObject, path: string): readonly NeutralPart[] {
  const { content } = message
  const refusal = new Members(message, path).text('refusal')
  // Of the form before tools, whose answers nobody reads any more.
  if (isObject(message['function_call'])) throw fieldFault(`${path}.function_call`, 'calls are told by tool_calls')
  if (isObject(message['audio'])) throw fieldFault(`${path}.audio`, 'spoken answers are not carried')
  const calls = new Members(message, path).list('tool_calls') ?? []
  return [
    ...readReasoningOf(message, path),
    ...(content === null || content === undefined ? [] : readContent(content, `${path}.content`)),
    ...(refusal === undefined ? [] : [{ type: 'refusal' as const, text: refusal }]),
    ...calls.map((call, at) => readCall(call, `${path}.tool_calls[${at}]`)),
  ]
}

function readCall(value: unknown, path: string): NeutralPart {
  const call = objectAt(value, path)
  const own = objectAt(call['function'], `${path}.function`)
  return present({
    type: 'tool_call' as const,
    id: nameAt(call['id'], `${path}.id`),
    name: nameAt(own['name'], `${path}.function.name`),
    arguments: textAt(own['arguments'] ?? '', `${path}.function.arguments`),
    signature: signatureOf(call),
  })
}

/** Where Gemini's own OpenAI-compatible interface has it. */
function signatureOf({ extra_content: extra }: JsonObject): string | undefined {
  const google = isObject(extra) ? extra['google'] : undefined
  const signature = isObject(google) ? google['thought_signature'] : undefined
  return typeof signature === 'string' ? signature : undefined
}

function readContent(content: unknown, path: string): readonly NeutralPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listAt(content, path).map((value, at) => readPart(objectAt(value, `${path}[${at}]`), `${path}[${at}]`))
}

function readPart(part: JsonObject, path: string): NeutralPart {
  const cache = part['cache_control']
  switch (part['type']) {
    case 'text':
      return present({ type: 'text' as const, text: textAt(part['text'], `${path}.text`), cache })
    case 'refusal':
      return { type: 'refusal', text: textAt(part['refusal'], `${path}.refusal`) }
    case 'image_url': {
      const own = objectAt(part['image_url'], `${path}.image_url`)
      const source = readMediaUrl(nameAt(own['url'], `${path}.image_url.url`), `${path}.image_url.url`)
      const detail = new Members(own, `${path}.image_url`).text('detail')
      return present({ type: 'image' as const, source, detail, cache })
    }
    case 'input_audio': {
      const own = objectAt(part['input_audio'], `${path}.input_audio`)
      const base64 = nameAt(own['data'], `${path}.input_audio.data`)
      return { type: 'audio', base64, format: nameAt(own['format'], `${path}.input_audio.format`) }
    }
    case 'file':
      return readFile(objectAt(part['file'], `${path}.file`), `${path}.file`, cache)
    default:
      throw fieldFault(`${path}.type`, 'must be text, image_url, input_audio, file or refusal')
  }
}

function readFile(file: JsonObject, path: string, cache: unknown): NeutralPart {
  const members = new Members(file, path)
  const name = members.text('filename')
  const id = members.text('file_id')
  if (id !== undefined) return present({ type: 'file' as const, source: { kind: 'file_id' as const, id }, name, cache })
  const source = readMediaUrl(nameAt(file['file_data'], `${path}.file_data`), `${path}.file_data`)
  return present({ type: 'file' as const, source, name, cache })
}
