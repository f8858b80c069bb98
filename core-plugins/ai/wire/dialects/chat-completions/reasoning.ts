import { Members, objectAt, present, type JsonObject } from '../../json.ts'
import type { NeutralPart, NeutralReasoning } from '../../neutral.ts'

/*
 * The dialect has no word of its own for reasoning. Servers say `reasoning_content` (DeepSeek, vLLM); what must come back with the
 * conversation stands in `reasoning_details`, in the form that OpenRouter publishes: the vendor's name is the `format`.
 */

/** What an assistant's message that comes back says of its thoughts. */
export function readReasoningOf(message: JsonObject, path: string): readonly NeutralPart[] {
  const members = new Members(message, path)
  const details = members.list('reasoning_details')
  if (details) return details.map((value, at) => readDetail(objectAt(value, `${path}.reasoning_details[${at}]`)))
  const text = members.text('reasoning_content') ?? members.text('reasoning')
  return text === undefined || text === '' ? [] : [{ type: 'reasoning', vendor: 'openai_compatible', text }]
}

function readDetail(detail: JsonObject): NeutralReasoning {
  const word = (name: string): string | undefined => {
    const value = detail[name]
    return typeof value === 'string' ? value : undefined
  }
  return present({
    type: 'reasoning' as const,
    vendor: word('format') ?? 'openai_compatible',
    id: word('id'),
    text: word('text') ?? word('summary'),
    signature: word('signature'),
    encrypted: word('data'),
  })
}

/** Thoughts as the client must give them back. */
export function presentReasoning(thoughts: readonly NeutralReasoning[]): readonly JsonObject[] {
  return thoughts.map(({ vendor: format, id, text, signature, encrypted }, index) =>
    present(
      encrypted === undefined
        ? { type: 'reasoning.text', text: text ?? '', signature, id, format, index }
        : { type: 'reasoning.encrypted', data: encrypted, text, signature, id, format, index },
    ),
  )
}

/** Whether the words of a thought are not all that its vendor wants back: a seal, or whose it is. */
export function isSealed({ vendor, signature, encrypted }: Omit<NeutralReasoning, 'type'>): boolean {
  return vendor !== 'openai_compatible' || signature !== undefined || encrypted !== undefined
}

/** The reasoning parts of an answer. */
export function thoughtsOf(parts: readonly NeutralPart[]): readonly NeutralReasoning[] {
  return parts.filter((part) => part.type === 'reasoning')
}
