import type { NeutralEmbeddingRequest, NeutralEmbeddings } from '../wire/neutral.ts'
import type { RunAbout, RunResult } from './call.ts'
import { EmbedAttempt } from './embed-attempt.ts'
import type { Run } from './run.ts'

/** Vectors, and what they took. */
export interface Embedded {
  readonly about: RunAbout
  readonly vectors: NeutralEmbeddings['vectors']
  readonly result: RunResult
}

/** Runs a call for vectors; throws what the client is told. */
export async function runEmbed(run: Run, request: NeutralEmbeddingRequest): Promise<Embedded> {
  const box: { answer?: NeutralEmbeddings } = {}
  try {
    const going = await run.answer(
      (parts) => new EmbedAttempt(parts, request),
      async (attempt) => {
        box.answer = await attempt.run()
      },
    )
    const { vectors, usage } = box.answer as NeutralEmbeddings
    going.end('finished', { reported: usage, counted: 0 }, { end: 'ok' })
    run.over('ok')
    return { about: run.about, vectors, result: run.result as RunResult }
  } catch (error) {
    throw run.fail(error)
  }
}
