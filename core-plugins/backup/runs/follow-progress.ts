import type { RunningJob } from '../../jobs/contract.ts'
import type { Progress } from '../progress.ts'

const everyMs = 500

/** Shows in a job how far a backup is, now and then, until disposed: the latest that was told. */
export function followProgress(job: Pick<RunningJob, 'progress'>): AsyncDisposable & { readonly tell: Progress } {
  let text: string | undefined
  let percent = 0
  let showing: Promise<void> = Promise.resolve()
  let shownAt = -everyMs

  function show(): void {
    const now = performance.now()
    if (text === undefined || now - shownAt < everyMs) return
    const told = text
    text = undefined
    shownAt = now
    // Whether the job is still this host's is told by its signal.
    showing = showing.then(() => job.progress(percent, told)).catch(() => undefined)
  }

  return {
    tell(line, done = percent) {
      text = line
      percent = done
      show()
    },
    async [Symbol.asyncDispose]() {
      shownAt = -Infinity
      show()
      await showing
    },
  }
}
