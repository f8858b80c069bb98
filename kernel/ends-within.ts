import { setTimeout } from 'node:timers/promises'

/** Waits for work for so long; true when it ended in time, otherwise it goes on by itself. */
export async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const stop = new AbortController()
  // Who handles an error that comes later is the work itself.
  work.catch(() => undefined)
  try {
    return await Promise.race([
      work.then(() => true),
      setTimeout(milliseconds, false, { signal: stop.signal, ref: false }),
    ])
  } finally {
    stop.abort()
  }
}
