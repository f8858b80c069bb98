import { cannotCarry } from '../../faults.ts'
import { present } from '../../json.ts'
import { mediaUrl } from '../../media.ts'
import type { MediaSource, NeutralMessage, NeutralPart, NeutralToolCall } from '../../neutral.ts'

/** Told of what is left out. */
type Drop = (field: string) => void

/** Messages in the words of chat completions. */
export function writeOpenAiMessages(messages: readonly NeutralMessage[], drop: Drop): readonly object[] {
  return messages.flatMap((message, at) => writeMessage(message, `messages[${at}]`, drop))
}

function writeMessage({ role, parts, name }: NeutralMessage, path: string, drop: Drop): readonly object[] {
  if (role === 'assistant') return [present({ ...writeAssistant(parts, path, drop), name })]
  // The results of calls are messages of their own, before what else is said.
  const results = parts.filter((part) => part.type === 'tool_result')
  const rest = parts.filter((part) => part.type !== 'tool_result')
  const said = rest.length > 0 || results.length === 0 ? [{ role, content: contentOf(rest, path), name }] : []
  return [...results.flatMap((part) => writeResult(part, path)), ...said.map(present)]
}

function writeResult(
  { callId, parts, isError }: Extract<NeutralPart, { type: 'tool_result' }>,
  path: string,
): readonly object[] {
  const texts = parts.filter((part) => part.type === 'text')
  const others = parts.filter((part) => part.type !== 'text')
  const text = texts.map((part) => part.text).join('\n')
  const result = { role: 'tool', tool_call_id: callId, content: isError ? `Error: ${text}` : text }
  if (others.length === 0) return [result]
  // A tool's message holds text alone; its pictures follow as the user's.
  return [result, { role: 'user', content: contentOf(others, path) }]
}

function writeAssistant(parts: readonly NeutralPart[], path: string, drop: Drop): object {
  const texts: string[] = []
  const refusals: string[] = []
  const thoughts: string[] = []
  const calls: object[] = []
  for (const part of parts) {
    if (part.type === 'text') texts.push(part.text)
    else if (part.type === 'refusal') refusals.push(part.text)
    else if (part.type === 'tool_call') calls.push(writeCall(part))
    else if (part.type !== 'reasoning') throw cannotCarry(`${path}.content`, `an answer has no ${part.type} in it`)
    else if (part.vendor === 'openai_compatible' && part.text !== undefined) thoughts.push(part.text)
    else drop(`${path}.reasoning`)
  }
  const content = texts.join('')
  return {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusals.length > 0) ? null : content,
    ...(refusals.length > 0 && { refusal: refusals.join('') }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function writeCall({ id, name, arguments: text, signature }: NeutralToolCall): object {
  return present({
    ...{ id, type: 'function', function: { name, arguments: text } },
    extra_content: signature === undefined ? undefined : { google: { thought_signature: signature } },
  })
}

function contentOf(parts: readonly NeutralPart[], path: string): string | readonly object[] {
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n')
  return parts.map((part, at) => writePart(part, `${path}.content[${at}]`))
}

function writePart(part: NeutralPart, path: string): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: present({ url: urlOf(part.source, path), detail: part.detail }) }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.base64, format: part.format } }
    case 'file':
      return { type: 'file', file: writeFile(part, path) }
    default:
      throw cannotCarry(path, `a ${part.type} has no place in this message`)
  }
}

function urlOf(source: MediaSource, path: string): string {
  const url = mediaUrl(source)
  if (url === undefined) throw cannotCarry(path, 'an image by the id of a file')
  return url
}

function writeFile({ source, name }: Extract<NeutralPart, { type: 'file' }>, path: string): object {
  if (source.kind === 'file_id') return { file_id: source.id }
  if (source.kind === 'url') throw cannotCarry(path, 'a file by its address: send its content')
  return present({ file_data: mediaUrl(source), filename: name ?? 'file' })
}
