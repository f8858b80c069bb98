import { setTimeout as wait } from 'node:timers/promises'

/** How often something is tried, and what stands between two tries. */
export interface RetryOptions {
  readonly isWorthwhile: (error: unknown) => boolean
  readonly pause?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined
  readonly signal?: AbortSignal | undefined
}

const tries = 3
const firstPauseMs = 250
const never = new AbortController().signal

/** Tries three times; the pauses double and vary by half, so that many hosts do not come back at once. */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { isWorthwhile, pause = sleep, signal = never } = options
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (tried === tries || signal.aborted || !isWorthwhile(error)) throw error
    }
    await pause(firstPauseMs * 2 ** (tried - 1) * (0.5 + Math.random()), signal)
  }
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal })
}
