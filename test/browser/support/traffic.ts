import type { Page } from 'playwright-core'

/** What a page asked for since it was asked the last time. */
export interface Traffic {
  /** Requests that failed, each with what came of it. */
  readonly failed: readonly string[]
  /** Requests for more rows than a list shows at once. */
  readonly large: readonly string[]
  /** Names of the scripts and styles, from wherever they came. */
  readonly scripts: ReadonlySet<string>
  readonly styles: ReadonlySet<string>
  /** How many there were; the same thing read again is none. */
  readonly requests: number
}

const mostRows = 100

/** Counts what a tab asks for; the result hands out what it was, and begins anew. */
export function watchTraffic(page: Page): () => Traffic {
  let now = nothing()
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!url.protocol.startsWith('http')) return
    const file = /\/console\/assets\/([^/]+\.(js|css))$/.exec(url.pathname)
    const asked = `${request.method()} ${url.pathname}${url.search}`
    // What is read again is kept by the browser, or was changed meanwhile.
    if (request.method() !== 'GET' || !now.asked.has(asked)) now.requests += 1
    now.asked.add(asked)
    if (file?.[1] !== undefined) (file[2] === 'js' ? now.scripts : now.styles).add(file[1])
    const rows = ['page_size', 'limit'].map((name) => Number(url.searchParams.get(name) ?? 0))
    if (Math.max(...rows) > mostRows) now.large.push(asked)
  })
  page.on('response', (answer) => {
    const { pathname, search } = new URL(answer.url())
    if (answer.status() >= 400) now.failed.push(`${answer.status()} ${answer.request().method()} ${pathname}${search}`)
  })
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {}
    // What the page itself gives up, as when it is left.
    if (errorText === 'net::ERR_ABORTED') return
    const { pathname, search } = new URL(request.url())
    now.failed.push(`${errorText} ${request.method()} ${pathname}${search}`)
  })
  return () => {
    const before = now
    now = nothing()
    return before
  }
}

function nothing() {
  return {
    failed: [] as string[],
    large: [] as string[],
    asked: new Set<string>(),
    scripts: new Set<string>(),
    styles: new Set<string>(),
    requests: 0,
  }
}
