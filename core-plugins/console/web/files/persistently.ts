import { Problem } from '../session/problem.ts'

const waits = [1000, 2000, 4000, 8000, 15_000]
/** Of what the server refuses for the moment; a lost network is waited for as long as it takes. */
const mostRefusals = 4

/** Tries again what failed for reasons that pass: a lost network, a server that is busy or away. `onWaiting` hears when it waits for that. */
export async function persistently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onWaiting: (isWaiting: boolean) => void,
): Promise<T> {
  for (let attempt = 0, refusals = 0; ; attempt += 1) {
    try {
      const result = await work()
      onWaiting(false)
      return result
    } catch (problem) {
      if (signal.aborted || !(problem instanceof Problem) || !isPassing(problem)) throw problem
      if (problem.status !== 0 && (refusals += 1) > mostRefusals) throw problem
      onWaiting(true)
      const { retryAfter } = problem
      await pause(retryAfter === undefined ? (waits[attempt] ?? 15_000) : retryAfter * 1000, signal)
    }
  }
}

/** Whether the same request may be answered a little later; a quota that is full is not emptied by waiting. */
function isPassing({ status, code }: Problem): boolean {
  return status === 0 || (status === 429 && code !== 4297) || (status >= 500 && status !== 507)
}

/** Waits, and no longer than until the browser says that there is a network again. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, milliseconds)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
