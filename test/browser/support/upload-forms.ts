import type { BrowserContext, Page, Route } from 'playwright-core'

/** Which answers the forms of a page got, to the end: a network that is cut before that cuts them off. */
export function formsOf(page: Page): number[] {
  const statuses: number[] = []
  page.on('requestfinished', (request) => {
    if (!request.url().endsWith('/attachments/upload')) return
    void request.response().then((answer) => answer && statuses.push(answer.status()))
  })
  return statuses
}

/** Lets so many forms through and keeps the others back; the result ends that, and what was kept back is lost. */
export async function keepBack(context: BrowserContext, most: number): Promise<() => Promise<void>> {
  const kept: Route[] = []
  let passed = 0
  let isOver = false
  await context.route('**/attachments/upload', async (route) => {
    passed += 1
    if (isOver || passed <= most) await route.continue()
    else kept.push(route)
  })
  // The route stays: without one the browser would send what was kept back.
  return async () => {
    isOver = true
    await Promise.all(kept.map((route) => route.abort('internetdisconnected').catch(() => undefined)))
  }
}
