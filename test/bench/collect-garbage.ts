import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects what this process uses no longer and gives it back to the system, so that what is measured next does not pay for it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as NonNullable<typeof globalThis.gc>)({ type: 'major', flavor: 'last-resort' })
}
