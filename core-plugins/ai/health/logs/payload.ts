import type { CallRecord } from '../../relay/call-record.ts'
import type { NeutralPart } from '../../wire/neutral.ts'
import { redact } from './redact.ts'

/** Of one text, and of all that a request said, so many characters are kept. */
const most = { text: 16_384, all: 65_536 }

/** What was said in a request and its answer, as it is kept: without pictures, files and thoughts. */
export function payloadOf({ request, heard }: NonNullable<CallRecord['said']>, isRedacted: boolean): object {
  const tell = (text: string): string => (isRedacted ? redact(text) : text)
  let left = most.all
  let isCut = heard.isCut
  const cut = (text: string): string => {
    const kept = text.slice(0, Math.min(left, most.text))
    isCut ||= kept.length < text.length
    left -= kept.length
    return tell(kept)
  }
  // The last ones say most of what an answer is about.
  const messages = request.messages.toReversed().map(({ role, parts }) => ({
    role,
    parts: parts.flatMap((part) => partOf(part, cut)),
  }))
  return {
    messages: messages.toReversed(),
    tools: (request.tools ?? []).map(({ name }) => name),
    answer: {
      text: tell(heard.text),
      tool_calls: heard.calls.map((call) => ({ name: call.name, arguments: tell(call.arguments) })),
    },
    truncated: isCut,
  }
}

function partOf(part: NeutralPart, cut: (text: string) => string): readonly object[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [{ type: part.type, text: cut(part.text) }]
    case 'tool_call':
      return [{ type: part.type, name: part.name, arguments: cut(part.arguments) }]
    case 'tool_result':
      return [{ type: part.type, parts: part.parts.flatMap((each) => partOf(each, cut)) }]
    case 'reasoning':
      return []
    default:
      return [{ type: part.type }]
  }
}
