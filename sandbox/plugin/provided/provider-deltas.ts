import type { ProviderDelta } from '../../capabilities/gateway-words.ts'
import { fieldsOf, invalidAnswer } from './fields-of.ts'

const maxDeltas = 1_000
const maxText = 1_000
const maxName = 200
/** Calls of tools in one answer. */
const maxCalls = 128
const finishes: readonly unknown[] = ['stop', 'length', 'tool_calls', 'content_filter', 'refusal']
const usageFigures = [
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const

/** The steps of an answer, and what the next batch is told; throws 502/5029. */
export function checkDeltas(answer: unknown): { readonly deltas: readonly ProviderDelta[]; readonly state: unknown } {
  const { deltas, state = null } = fieldsOf(answer)
  if (!Array.isArray(deltas) || deltas.length > maxDeltas)
    throw invalidAnswer(`deltas is a list of at most ${maxDeltas}`)
  return { deltas: deltas.map(checkDelta), state }
}

function checkDelta(delta: unknown): ProviderDelta {
  const { type, ...fields } = fieldsOf(delta)
  switch (type) {
    case 'start':
      return { type, ...optional(fields, 'id'), ...optional(fields, 'model') }
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { type, text: textOf(fields['text'], Infinity) }
    case 'tool_call':
      return checkCall(fields)
    case 'usage':
      return checkUsage(fields)
    case 'finish':
      if (!finishes.includes(fields['reason'])) throw invalidAnswer('a finish has a reason that is known')
      return { type, reason: fields['reason'] } as ProviderDelta
    case 'error': {
      const { message } = fields
      const text = typeof message === 'string' ? { message: message.slice(0, maxText) } : {}
      return { type, class: textOf(fields['class'], 40), ...text }
    }
    default:
      throw invalidAnswer('a delta has a type that is known')
  }
}

function checkCall(fields: Readonly<Record<string, unknown>>): ProviderDelta {
  const { index, arguments: text } = fields
  if (!(typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < maxCalls))
    throw invalidAnswer(`the index of a call is a whole number below ${maxCalls}`)
  const more = text === undefined ? {} : { arguments: textOf(text, Infinity) }
  return { type: 'tool_call', index, ...optional(fields, 'id'), ...optional(fields, 'name'), ...more }
}

/** Whole numbers; what is too large is cut where it is charged. */
function checkUsage(fields: Readonly<Record<string, unknown>>): ProviderDelta {
  const figures = usageFigures.flatMap((name) => {
    const value = fields[name]
    if (value === undefined) return []
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return [[name, value] as const]
    throw invalidAnswer(`${name} is a whole number`)
  })
  return { type: 'usage', ...{ inputTokens: 0, outputTokens: 0 }, ...Object.fromEntries(figures) }
}

function optional<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  name: Name,
): { readonly [key in Name]?: string } {
  if (fields[name] === undefined) return {}
  return { [name]: textOf(fields[name], maxName) } as { readonly [key in Name]?: string }
}

function textOf(value: unknown, most: number): string {
  if (typeof value === 'string' && value.length <= most) return value
  throw invalidAnswer('a text is a text of bounded length')
}
