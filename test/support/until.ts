const shortestPauseMs = 10
const longestPauseMs = 50

/**
 * Waits for a condition, asking again and again; fails when it does not come true in time. What was waited for longer is asked for
 * less often: the asking takes the processor from what is waited for.
 */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = 120_000): Promise<void> {
  const began = Date.now()
  while (!(await condition())) {
    const waited = Date.now() - began
    if (waited > milliseconds) throw new Error(`not true within ${milliseconds} ms: ${condition.toString()}`)
    const pause = Math.min(longestPauseMs, Math.max(shortestPauseMs, waited / 20))
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
