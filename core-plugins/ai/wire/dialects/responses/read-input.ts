import { fieldFault } from '../../faults.ts'
import { isObject, listAt, Members, nameAt, objectAt, present, textAt, type JsonObject } from '../../json.ts'
import { readMediaUrl } from '../../media.ts'
import type { NeutralMessage, NeutralPart, NeutralReasoning } from '../../neutral.ts'
import { readSeal, signCalls, type Seal } from '../../seals.ts'

const roles = ['system', 'developer', 'user', 'assistant'] as const

/** Reads a text, or the items of a conversation: what an assistant thinks, says and calls in one go is one message. */
export function readInput(input: unknown, path: string): readonly NeutralMessage[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ type: 'text', text: input }] }]
  const list = listAt(input, path)
  if (list.length === 0) throw fieldFault(path, 'must not be empty')
  const messages: { role: NeutralMessage['role']; parts: NeutralPart[] }[] = []
  const seals: Seal[] = []
  for (const [at, value] of list.entries()) {
    const item = objectAt(value, `${path}[${at}]`)
    const seal = item['type'] === 'reasoning' ? readSeal(String(item['encrypted_content'])) : undefined
    if (seal?.callId !== undefined) {
      seals.push(seal)
      continue
    }
    const { role, parts } = readItem(item, `${path}[${at}]`)
    const last = messages.at(-1)
    if (role === 'assistant' && last?.role === 'assistant') last.parts.push(...parts)
    else messages.push({ role, parts: [...parts] })
  }
  return messages.map(({ role, parts }) => ({ role, parts: signCalls(parts, seals) }))
}

function readItem(item: JsonObject, path: string): NeutralMessage {
  switch (item['type'] ?? 'message') {
    case 'message':
      return readMessage(item, path)
    case 'function_call': {
      const id = nameAt(item['call_id'], `${path}.call_id`)
      const own = { id, name: nameAt(item['name'], `${path}.name`) }
      const text = textAt(item['arguments'] ?? '', `${path}.arguments`)
      return { role: 'assistant', parts: [{ type: 'tool_call', ...own, arguments: text }] }
    }
    case 'function_call_output': {
      const callId = nameAt(item['call_id'], `${path}.call_id`)
      const parts = readContent(item['output'], `${path}.output`)
      return { role: 'tool', parts: [{ type: 'tool_result', callId, parts }] }
    }
    case 'reasoning':
      return { role: 'assistant', parts: [readThought(item)] }
    case 'item_reference':
      throw fieldFault(path, 'send the item itself, or previous_response_id')
    default:
      throw fieldFault(`${path}.type`, `${String(item['type'])} is not carried`)
  }
}

function readMessage(item: JsonObject, path: string): NeutralMessage {
  const role = roles.find((name) => name === item['role'])
  if (role === undefined) throw fieldFault(`${path}.role`, `must be one of ${roles.join(', ')}`)
  return { role, parts: readContent(item['content'], `${path}.content`) }
}

function readContent(content: unknown, path: string): readonly NeutralPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listAt(content, path).map((value, at) => readPart(objectAt(value, `${path}[${at}]`), `${path}[${at}]`))
}

function readPart(part: JsonObject, path: string): NeutralPart {
  const members = new Members(part, path)
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: textAt(part['text'], `${path}.text`) }
    case 'refusal':
      return { type: 'refusal', text: textAt(part['refusal'], `${path}.refusal`) }
    case 'input_image': {
      const id = members.text('file_id')
      const source =
        id === undefined
          ? readMediaUrl(nameAt(part['image_url'], `${path}.image_url`), `${path}.image_url`)
          : { kind: 'file_id' as const, id }
      return present({ type: 'image' as const, source, detail: members.text('detail') })
    }
    case 'input_file':
      return readFile(part, members, path)
    case 'input_audio': {
      const own = objectAt(part['input_audio'], `${path}.input_audio`)
      const base64 = nameAt(own['data'], `${path}.input_audio.data`)
      return { type: 'audio', base64, format: nameAt(own['format'], `${path}.input_audio.format`) }
    }
    default:
      throw fieldFault(`${path}.type`, `${String(part['type'])} is not carried`)
  }
}

function readFile(part: JsonObject, members: Members, path: string): NeutralPart {
  const name = members.text('filename')
  const id = members.text('file_id')
  if (id !== undefined) return present({ type: 'file' as const, source: { kind: 'file_id' as const, id }, name })
  const url = members.text('file_url')
  if (url !== undefined) return present({ type: 'file' as const, source: { kind: 'url' as const, url }, name })
  const source = readMediaUrl(nameAt(part['file_data'], `${path}.file_data`), `${path}.file_data`)
  return present({ type: 'file' as const, source, name })
}

/** A thought: with a seal of ours it says whose it is, without one it is its text, and any other seal is OpenAI's. */
function readThought(item: JsonObject): NeutralReasoning {
  const { id, encrypted_content: encrypted } = item
  const own = typeof id === 'string' ? { id } : {}
  const seal = typeof encrypted === 'string' ? readSeal(encrypted) : undefined
  if (seal) return { type: 'reasoning', ...own, ...seal }
  const texts = [item['content'], item['summary']].map((list) =>
    Array.isArray(list) ? list.filter(isObject).map(({ text }) => String(text)) : [],
  )
  const text = (texts[0] && texts[0].length > 0 ? texts[0] : (texts[1] ?? [])).join('\n')
  if (typeof encrypted !== 'string' || encrypted === '') {
    return { type: 'reasoning', vendor: 'openai_compatible', ...own, text }
  }
  return { type: 'reasoning', vendor: 'openai', ...own, ...(text !== '' && { text }), encrypted }
}
