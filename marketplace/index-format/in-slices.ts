import { setImmediate as turn } from 'node:timers/promises'

/** Work that may pause wherever it yields. */
export type Sliced<T> = Generator<void, T>

/** Does the work piece by piece and lets everything else have its turn in between. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await turn()
  }
}

/** Does the work without a pause. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
