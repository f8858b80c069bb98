import type { AnswerAbout } from '../../dialect.ts'
import { present } from '../../json.ts'
import type { NeutralAnswer, NeutralPart, NeutralToolCall } from '../../neutral.ts'
import { isSealed, presentReasoning, thoughtsOf } from './reasoning.ts'
import { presentFinish, presentUsage } from './usage.ts'

/** A whole answer as a `chat.completion`; the vendor's own text where it speaks this wire. */
export function presentCompletion(answer: NeutralAnswer, { id, created, model }: AnswerAbout): string {
  if (answer.frame?.wire === 'chat_completions') return answer.frame.data
  const { usage, logprobs = null, finish } = answer
  const choice = { index: 0, message: messageOf(answer), logprobs, finish_reason: presentFinish(finish) }
  const told = usage && presentUsage(usage)
  return JSON.stringify({ id, object: 'chat.completion', created, model, choices: [choice], usage: told })
}

function messageOf({ parts }: NeutralAnswer): object {
  const text = join(parts, 'text')
  const refusal = join(parts, 'refusal')
  const calls = parts.filter((part) => part.type === 'tool_call')
  const thoughts = thoughtsOf(parts)
  const thought = thoughts.map((part) => part.text ?? '').join('')
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(calls.length > 0 && { tool_calls: calls.map(presentCall) }),
    ...(thought !== '' && { reasoning_content: thought }),
    ...(thoughts.some(isSealed) && { reasoning_details: presentReasoning(thoughts) }),
  }
}

function presentCall({ id, name, arguments: text, signature }: NeutralToolCall): object {
  return present({
    ...{ id, type: 'function', function: { name, arguments: text } },
    extra_content: signature === undefined ? undefined : { google: { thought_signature: signature } },
  })
}

function join(parts: readonly NeutralPart[], type: 'text' | 'refusal'): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('')
}
