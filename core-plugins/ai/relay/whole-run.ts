import type { CallGuard } from '../guard/call-guard.ts'
import { answerEvents } from '../wire/answer.ts'
import type { NeutralAnswer } from '../wire/neutral.ts'
import type { RelayRun } from './call.ts'
import { tokensOf } from './input-size.ts'
import type { PlannedCall } from './plan.ts'
import type { Run } from './run.ts'
import { WholeAttempt } from './whole-attempt.ts'

/** Runs a call that is answered as a whole; throws what the client is told. */
export async function runWhole(
  run: Run,
  { guard, heard }: Pick<PlannedCall, 'guard' | 'heard'>,
): Promise<RelayRun & { readonly answer: NeutralAnswer }> {
  const box: { answer?: NeutralAnswer } = {}
  try {
    const going = await run.answer(
      (parts) => new WholeAttempt(parts),
      async (attempt) => {
        box.answer = await attempt.run()
      },
    )
    const said = box.answer as NeutralAnswer
    const known = { reported: said.usage, counted: countAnswer(said) }
    const answer = await allowed(said, guard).catch((error: unknown) => {
      going.end(run.isForsaken ? 'aborted_after_first_token' : 'blocked', known, { end: 'ok' })
      throw error
    })
    heard?.push(answerEvents(answer))
    going.end('finished', known, { end: 'ok' })
    run.over('ok')
    return { about: run.about, answer, stream: undefined, result: run.result }
  } catch (error) {
    throw run.fail(error)
  }
}

async function allowed(answer: NeutralAnswer, guard: CallGuard | undefined): Promise<NeutralAnswer> {
  return guard ? guard.answer(answer) : answer
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
