import type { NeutralMessage, NeutralPart } from '../wire/neutral.ts'
import type { RoledText } from './cut-texts.ts'

/** The texts of a conversation that go to a model: all but thoughts, which are the model's own and sealed. */
export function textsOf(messages: readonly NeutralMessage[]): readonly RoledText[] {
  const texts: RoledText[] = []
  mapTexts(messages, (text, role) => {
    texts.push({ role, text })
    return text
  })
  return texts
}

/** The conversation with each of its texts, in their order, as it is told. */
export function mapTexts(
  messages: readonly NeutralMessage[],
  map: (text: string, role: string) => string,
): readonly NeutralMessage[] {
  return messages.map((message) => ({ ...message, parts: mapParts(message.parts, (text) => map(text, message.role)) }))
}

function mapParts(parts: readonly NeutralPart[], map: (text: string) => string): readonly NeutralPart[] {
  return parts.map((part) => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return { ...part, text: map(part.text) }
      case 'tool_call':
        return { ...part, arguments: map(part.arguments) }
      case 'tool_result':
        return { ...part, parts: mapParts(part.parts, map) }
      default:
        return part
    }
  })
}
