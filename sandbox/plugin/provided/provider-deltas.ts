import type { ProviderDelta } from '../../capabilities/gateway-words.ts'
import { fieldsOf, invalidAnswer } from './fields-of.ts'

const MAX_DELTAS = 1_000
const MAX_TEXT = 1_000
const MAX_NAME = 200
/** Calls of tools in one answer. */
const MAX_CALLS = 128
const FINISHES: readonly unknown[] = ['stop', 'length', 'tool_calls', 'content_filter', 'refusal']
const FIGURES = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const

/** The steps of an answer, and what the next batch is told; throws 502/5029. */
export function checkDeltas(answer: unknown): { readonly deltas: readonly ProviderDelta[]; readonly state: unknown } {
  const { deltas, state = null } = fieldsOf(answer)
  if (!Array.isArray(deltas) || deltas.length > MAX_DELTAS)
    throw invalidAnswer(`deltas is a list of at most ${MAX_DELTAS}`)
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
      if (!FINISHES.includes(fields['reason'])) throw invalidAnswer('a finish has a reason that is known')
      return { type, reason: fields['reason'] } as ProviderDelta
    case 'error': {
      const { message } = fields
      const text = typeof message === 'string' ? { message: message.slice(0, MAX_TEXT) } : {}
      return { type, class: textOf(fields['class'], 40), ...text }
    }
    default:
      throw invalidAnswer('a delta has a type that is known')
  }
}

function checkCall(fields: Readonly<Record<string, unknown>>): ProviderDelta {
  const { index, arguments: text } = fields
  if (!(typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MAX_CALLS))
    throw invalidAnswer(`the index of a call is a whole number below ${MAX_CALLS}`)
  const more = text === undefined ? {} : { arguments: textOf(text, Infinity) }
  return { type: 'tool_call', index, ...optional(fields, 'id'), ...optional(fields, 'name'), ...more }
}

/** Whole numbers; what is too large is cut where it is charged. */
function checkUsage(fields: Readonly<Record<string, unknown>>): ProviderDelta {
  const figures = FIGURES.flatMap((name) => {
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
  return { [name]: textOf(fields[name], MAX_NAME) } as { readonly [key in Name]?: string }
}

function textOf(value: unknown, most: number): string {
  if (typeof value === 'string' && value.length <= most) return value
  throw invalidAnswer('a text is a text of bounded length')
}
