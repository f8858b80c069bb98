import type { CDPSession, Page } from 'playwright-core'

/** What a page's own thread did meanwhile, in seconds of its own time, which a busy machine does not lengthen. */
interface Spent {
  /** All of it: scripts, styles, layout. */
  readonly tasks: number
  /** Of the clock. */
  readonly whole: number
}

/** Counts what the thread of a page does between calls. */
export async function watchThread(page: Page): Promise<{ take(): Promise<Spent>; end(): Promise<void> }> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? NaN
    return { tasks: of('TaskDuration'), whole: performance.now() / 1000 }
  }
  let last = await read()
  return {
    async take() {
      const before = last
      last = await read()
      return { tasks: last.tasks - before.tasks, whole: last.whole - before.whole }
    },
    end: () => session.detach(),
  }
}
