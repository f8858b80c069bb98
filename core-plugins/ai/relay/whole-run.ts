import type { NeutralAnswer } from '../wire/neutral.ts'
import type { RelayRun } from './call.ts'
import { tokensOf } from './input-size.ts'
import type { Run } from './run.ts'
import { WholeAttempt } from './whole-attempt.ts'

/** Runs a call that is answered as a whole; throws what the client is told. */
export async function runWhole(run: Run): Promise<RelayRun & { readonly answer: NeutralAnswer }> {
  const box: { answer?: NeutralAnswer } = {}
  try {
    const going = await run.answer(
      (parts) => new WholeAttempt(parts),
      async (attempt) => {
        box.answer = await attempt.run()
      },
    )
    const answer = box.answer as NeutralAnswer
    going.end('finished', { reported: answer.usage, counted: countAnswer(answer) }, { end: 'ok' })
    run.over('ok')
    return { about: run.about, answer, stream: undefined, result: run.result }
  } catch (error) {
    throw run.fail(error)
  }
}

function countAnswer({ parts }: NeutralAnswer): number {
  let tokens = 0
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'refusal') tokens += tokensOf(part.text)
    else if (part.type === 'reasoning') tokens += tokensOf(part.text ?? '')
    else if (part.type === 'tool_call') tokens += tokensOf(part.name + part.arguments)
  }
  return Math.ceil(tokens)
}
