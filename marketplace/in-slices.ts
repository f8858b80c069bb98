import { setImmediate as turn } from 'node:timers/promises'

/** Work that may pause wherever it yields. */
export type Sliced<T> = Generator<void, T>

/** As long as nobody notices, in milliseconds. */
const sliceMs = 8

/** Does the work, which may yield as often as it likes, and lets everything else have its turn every few milliseconds. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (let began = performance.now(); ;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - began < sliceMs) continue
    await turn()
    began = performance.now()
  }
}

/** Does the work without a pause. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
