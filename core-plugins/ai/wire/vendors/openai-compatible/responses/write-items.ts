import { cannotCarry } from '../../../faults.ts'
import { present, type JsonObject } from '../../../json.ts'
import { mediaUrl } from '../../../media.ts'
import type { MediaSource, NeutralMessage, NeutralPart, NeutralReasoning } from '../../../neutral.ts'

/** Told of what is left out. */
type Drop = (field: string) => void

/** Messages as the items of a response's input: each thought, call and result is one of its own, in their order. */
export function writeItems(messages: readonly NeutralMessage[], drop: Drop): readonly JsonObject[] {
  return messages.flatMap(({ role, parts }, at) => {
    const path = `messages[${at}]`
    return groupsOf(parts).flatMap((group) => writeGroup(role, group, path, drop))
  })
}

/** What is said in one go is one item; everything else stands alone. */
function groupsOf(parts: readonly NeutralPart[]): readonly (readonly NeutralPart[])[] {
  const groups: NeutralPart[][] = []
  let saying: NeutralPart[] | undefined
  for (const part of parts) {
    const isSaid = part.type !== 'tool_call' && part.type !== 'tool_result' && part.type !== 'reasoning'
    if (isSaid && saying) saying.push(part)
    else groups.push((saying = [part]))
    if (!isSaid) saying = undefined
  }
  return groups
}

function writeGroup(
  role: NeutralMessage['role'],
  group: readonly NeutralPart[],
  path: string,
  drop: Drop,
): readonly JsonObject[] {
  const [first] = group
  switch (first?.type) {
    case undefined:
      return []
    case 'reasoning':
      return writeThought(first, path, drop)
    case 'tool_call': {
      const { id, name, arguments: text, signature } = first
      if (signature !== undefined) drop(`${path}.reasoning`)
      return [{ type: 'function_call', call_id: id, name, arguments: text }]
    }
    case 'tool_result': {
      const { callId, parts, isError } = first
      return [{ type: 'function_call_output', call_id: callId, output: outputOf(parts, isError, path) }]
    }
    default: {
      const content = group.map((part, at) => writePart(part, role, `${path}.content[${at}]`))
      return [{ type: 'message', role: role === 'tool' ? 'user' : role, content }]
    }
  }
}

/** OpenAI takes its own thoughts by what it encrypted, servers of open models theirs as text. */
function writeThought({ vendor, id, text, encrypted }: NeutralReasoning, path: string, drop: Drop) {
  if (vendor === 'openai' && encrypted !== undefined) {
    const summary = text === undefined || text === '' ? [] : [{ type: 'summary_text', text }]
    return [present({ type: 'reasoning', id, summary, encrypted_content: encrypted })]
  }
  if (vendor === 'openai_compatible' && text !== undefined) {
    return [{ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text }] }]
  }
  drop(`${path}.reasoning`)
  return []
}

function outputOf(parts: readonly NeutralPart[], isError: boolean | undefined, path: string): unknown {
  const prefix = isError ? 'Error: ' : ''
  if (parts.every((part) => part.type === 'text')) return prefix + parts.map(({ text }) => text).join('\n')
  return parts.map((part, at) => writePart(part, 'user', `${path}.content[${at}]`))
}

function writePart(part: NeutralPart, role: NeutralMessage['role'], path: string): JsonObject {
  switch (part.type) {
    case 'text':
      if (role === 'assistant') return { type: 'output_text', text: part.text, annotations: [] }
      return { type: 'input_text', text: part.text }
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image':
      return present({ type: 'input_image', ...placeOf(part.source, 'image_url'), detail: part.detail ?? 'auto' })
    case 'file':
      return present({ type: 'input_file', ...fileOf(part) })
    default:
      throw cannotCarry(path, `a ${part.type} has no place in this message`)
  }
}

function fileOf({ source, name }: Extract<NeutralPart, { type: 'file' }>): JsonObject {
  if (source.kind !== 'data') return { ...placeOf(source, 'file_url'), filename: name }
  return { file_data: mediaUrl(source), filename: name ?? 'file' }
}

function placeOf(source: MediaSource, url: string): JsonObject {
  return source.kind === 'file_id' ? { file_id: source.id } : { [url]: mediaUrl(source) }
}
