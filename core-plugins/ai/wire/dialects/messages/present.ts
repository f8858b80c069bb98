import type { AnswerAbout } from '../../dialect.ts'
import type { NeutralAnswer, NeutralPart } from '../../neutral.ts'
import { argumentsOf } from '../../call-arguments.ts'
import { presentCallSeal, presentStop, presentThought, presentUsage } from './words.ts'

/** A whole answer as a message; the vendor's own text where it speaks this wire. */
export function presentMessage(answer: NeutralAnswer, { id, model }: AnswerAbout): string {
  if (answer.frame?.wire === 'messages') return answer.frame.data
  const content = answer.parts.flatMap(presentBlock)
  const { finish, stopSequence = null, usage } = answer
  const head = { id, type: 'message', role: 'assistant', model, content }
  return JSON.stringify({
    ...head,
    ...{ stop_reason: presentStop(finish), stop_sequence: stopSequence, usage: presentUsage(usage) },
  })
}

function presentBlock(part: NeutralPart): readonly object[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [{ type: 'text', text: part.text }]
    case 'reasoning':
      return [presentThought(part)]
    case 'tool_call': {
      const { id, name, signature } = part
      const call = { type: 'tool_use', id, name, input: argumentsOf(part.arguments) ?? {} }
      return signature === undefined ? [call] : [presentCallSeal(id, signature), call]
    }
    default:
      return []
  }
}
