import { isObject, present, type JsonObject } from '../../../json.ts'
import type { NeutralAnswer, NeutralPart, NeutralReasoning } from '../../../neutral.ts'
import { UpstreamFaultError, type ReadOptions } from '../../../vendor.ts'
import { parseSaid, unreadable, wordOf } from '../../said.ts'
import { faultOfError } from '../fault.ts'
import { readResponseFinish, readResponseUsage } from './usage.ts'

/** Reads a whole response; throws an UpstreamFaultError for what is none. */
export function readResponseAnswer(body: string, { frames = false }: ReadOptions = {}): NeutralAnswer {
  const answer = parseSaid(body)
  if (answer['error']) throw new UpstreamFaultError(faultOfError(0, answer['error']))
  const { output, status, incomplete_details: details } = answer
  if (!Array.isArray(output)) throw unreadable('The answer has no output')
  const parts = output.filter(isObject).flatMap(readItem)
  const hasCalls = parts.some(({ type }) => type === 'tool_call')
  return {
    ...{ id: wordOf(answer['id']), model: wordOf(answer['model']), parts },
    finish: readResponseFinish(details, status !== 'incomplete', hasCalls),
    usage: readResponseUsage(answer['usage']),
    ...(frames && { frame: { wire: 'responses', data: body } }),
  }
}

function readItem(item: JsonObject): readonly NeutralPart[] {
  switch (item['type']) {
    case 'message':
      return listOf(item['content']).flatMap(readContent)
    case 'function_call': {
      const { call_id: id, name, arguments: text } = item
      return [{ type: 'tool_call', id: wordOf(id), name: wordOf(name), arguments: wordOf(text) }]
    }
    case 'reasoning':
      return readThought(item)
    default:
      return []
  }
}

function readContent({ type, text, refusal }: JsonObject): readonly NeutralPart[] {
  if (type === 'refusal') return [{ type, text: wordOf(refusal) }]
  return type === 'output_text' && wordOf(text) !== '' ? [{ type: 'text', text: wordOf(text) }] : []
}

function readThought(item: JsonObject): readonly NeutralReasoning[] {
  const open = textsOf(item['content'])
  const text = open === '' ? textsOf(item['summary']) : open
  const thought = thoughtOf(item, open !== '')
  return text === '' && thought.encrypted === undefined ? [] : [text === '' ? thought : { ...thought, text }]
}

/** Whose a thought is: what stands there as it was thought is an open model's, summaries and what is encrypted are OpenAI's. */
export function thoughtOf({ id, encrypted_content: encrypted }: JsonObject, isOpen: boolean): NeutralReasoning {
  const isSealed = typeof encrypted === 'string' && encrypted !== ''
  return present({
    type: 'reasoning' as const,
    vendor: isSealed || !isOpen ? 'openai' : 'openai_compatible',
    id: typeof id === 'string' ? id : undefined,
    encrypted: isSealed ? encrypted : undefined,
  })
}

/** Texts of a list of parts. */
export function textsOf(value: unknown): string {
  return listOf(value)
    .map(({ text }) => wordOf(text))
    .join('\n\n')
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
