import { randomUUID } from 'node:crypto'
import type { Json } from '../../capabilities/json.ts'
import { readStepEnd } from '../../plugin/job-step.ts'
import type { TestAnswer } from './contract.ts'

const mostSteps = 1_000

/** What the last step of a job answered, and how many there were. */
export type StepsAnswer = TestAnswer & { readonly steps: number }

/** Does a job step by step, without their pauses, as long as each asks for another. */
export async function callJob(
  { name, input, id = randomUUID() }: { readonly name: string; readonly input: Json; readonly id?: string },
  callStep: (step: object) => Promise<TestAnswer>,
): Promise<StepsAnswer> {
  let state: Json = null
  for (let step = 1; ; step++) {
    const answer = await callStep({ id, name, input, state, step, attempt: 1 })
    if (answer.status !== 200) return { ...answer, steps: step }
    const end = readStepEnd(JSON.stringify(answer.data))
    if (end.kind === 'done') return { ...answer, steps: step }
    if (step >= mostSteps) throw new Error(`The job ${name} has more than ${mostSteps} steps`)
    state = end.state
  }
}
