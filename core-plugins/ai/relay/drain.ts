import type { AttemptListener, StreamAttempt } from './stream-attempt.ts'

/** Reads an answer on without a reader until it is over, for so long at the most; then says whether it came to its end. */
export function drain(attempt: StreamAttempt, ms: number, over: (isWhole: boolean) => void): void {
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    attempt.stop()
    over(attempt.meter.hasFinished)
  }
  const timer = setTimeout(end, ms)
  const nobody: AttemptListener = { events: () => undefined, end, fail: end }
  attempt.listen(nobody)
  attempt.resume()
}
