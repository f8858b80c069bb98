import { fieldFault } from '../../faults.ts'
import { listAt, Members, nameAt, objectAt, present, textAt, type JsonObject } from '../../json.ts'
import type { MediaSource, NeutralMessage, NeutralPart, NeutralReasoning } from '../../neutral.ts'
import { readSeal, signCalls, type Seal } from '../../seals.ts'

/** Reads what users and assistants say by turns. */
export function readMessages(list: readonly unknown[]): readonly NeutralMessage[] {
  if (list.length === 0) throw fieldFault('messages', 'must not be empty')
  return list.map((value, at) => readMessage(objectAt(value, `messages[${at}]`), `messages[${at}]`))
}

/** Instructions: a text, or a list of texts. */
export function readTexts(content: unknown, path: string): readonly NeutralPart[] {
  const parts = readContent(content, path, [])
  if (parts.every(({ type }) => type === 'text')) return parts
  throw fieldFault(path, 'must be text')
}

function readMessage(message: JsonObject, path: string): NeutralMessage {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') throw fieldFault(`${path}.role`, 'must be user or assistant')
  const seals: Seal[] = []
  const parts = readContent(message['content'], `${path}.content`, seals)
  return { role, parts: signCalls(parts, seals) }
}

function readContent(content: unknown, path: string, seals: Seal[]): readonly NeutralPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listAt(content, path).flatMap((value, at) => {
    const block = objectAt(value, `${path}[${at}]`)
    const seal = block['type'] === 'redacted_thinking' ? readSeal(String(block['data'])) : undefined
    if (seal?.callId === undefined) return [readBlock(block, `${path}[${at}]`)]
    seals.push(seal)
    return []
  })
}

function readBlock(block: JsonObject, path: string): NeutralPart {
  const cache = block['cache_control']
  switch (block['type']) {
    case 'text':
      return present({ type: 'text' as const, text: textAt(block['text'], `${path}.text`), cache })
    case 'image':
      return present({ type: 'image' as const, source: readSource(block['source'], `${path}.source`), cache })
    case 'document': {
      const name = new Members(block, path).text('title')
      return present({ type: 'file' as const, source: readSource(block['source'], `${path}.source`), name, cache })
    }
    case 'tool_use': {
      const input = JSON.stringify(objectAt(block['input'] ?? {}, `${path}.input`))
      const own = { id: nameAt(block['id'], `${path}.id`), name: nameAt(block['name'], `${path}.name`) }
      return present({ type: 'tool_call' as const, ...own, arguments: input, cache })
    }
    case 'tool_result':
      return readResult(block, path)
    case 'thinking':
      return readThought(textAt(block['thinking'], `${path}.thinking`), textAt(block['signature'] ?? '', path))
    case 'redacted_thinking':
      return readRedacted(textAt(block['data'], `${path}.data`))
    default:
      throw fieldFault(`${path}.type`, `${String(block['type'])} is not carried`)
  }
}

function readResult(block: JsonObject, path: string): NeutralPart {
  const content = block['content'] ?? []
  return present({
    type: 'tool_result' as const,
    callId: nameAt(block['tool_use_id'], `${path}.tool_use_id`),
    parts: readContent(content, `${path}.content`, []),
    isError: new Members(block, path).flag('is_error'),
    cache: block['cache_control'],
  })
}

function readThought(text: string, signature: string): NeutralReasoning {
  const seal = readSeal(signature)
  if (seal) return { type: 'reasoning', ...seal, text }
  return { type: 'reasoning', vendor: 'anthropic', text, signature }
}

function readRedacted(data: string): NeutralReasoning {
  const seal = readSeal(data)
  return { type: 'reasoning', ...(seal ?? { vendor: 'anthropic', encrypted: data }) }
}

function readSource(value: unknown, path: string): MediaSource {
  const source = objectAt(value, path)
  switch (source['type']) {
    case 'base64': {
      const mediaType = nameAt(source['media_type'], `${path}.media_type`)
      return { kind: 'data', mediaType, base64: nameAt(source['data'], `${path}.data`) }
    }
    case 'text': {
      const base64 = Buffer.from(textAt(source['data'], `${path}.data`)).toString('base64')
      return { kind: 'data', mediaType: 'text/plain', base64 }
    }
    case 'url':
      return { kind: 'url', url: nameAt(source['url'], `${path}.url`) }
    case 'file':
      return { kind: 'file_id', id: nameAt(source['file_id'], `${path}.file_id`) }
    default:
      throw fieldFault(`${path}.type`, 'must be base64, url, text or file')
  }
}
