/** Steps that pages may add to the reader's way back that no click began, until the console itself goes on. */
const mostUnasked = 3
const lookMilliseconds = 100
/** Steps within a page that clicks may begin: so many at once, and so many a second. */
const mostAsked = 5
/** A page tells of itself that it fills the history, a little later; only where none does it is not known which it was. */
const tellMilliseconds = 300
/** What browsers keep in all; whatever is added to so many steps pushes out the first of them. */
const mostSteps = 50
/** Pages of the console that are put back on the way. */
const mostPutBack = 30
const base = '/console'

/** Take a frame away whose page fills the history. */
const watched = new Set<() => void>()
let looking: ReturnType<typeof setInterval> | undefined
let restoring: ReturnType<typeof setTimeout> | undefined
/** The pages of the console up to the one that is shown, as paths, and where that one stands. */
let way: readonly string[] = []
let position = 0
/** Of the history as it was seen last. */
let seen = { length: 0, own: 0 }
/** Steps since the console went on; those that no click began, as far as it is known here: a click in the console counts as well. */
let grown = 0
let unasked = 0
let asked = mostAsked
let lookedAt = -Infinity
let removedAt = -Infinity

/**
 * Keeps pages in frames from filling the reader's way back, until the returned function is called. What a page adds to the history is
 * there at once and for good: its frame goes, and the pages of the console are put on the way again, after what was added. In a full history
 * it is the page's own guard that tells (sandbox/sdk/ui/guard.ts); what frames within a page add to that one nobody sees.
 */
export function guardHistory(filled: () => void): () => void {
  watched.add(filled)
  if (!looking) {
    if (restoring === undefined) begin()
    looking = setInterval(look, lookMilliseconds)
  }
  return () => {
    watched.delete(filled)
    if (watched.size > 0) return
    // What it has added a moment before it went is seen as well.
    look()
    clearInterval(looking)
    looking = undefined
  }
}

/** A page that meant harm was taken away: the way back is as it was before. */
export function restoreHistory(): void {
  removedAt = performance.now()
  if (grown > 0 || history.length >= mostSteps) restore()
}

/** Once, a little after the last frame went: what its page had begun to add comes before. */
function restore(): void {
  clearTimeout(restoring)
  restoring = setTimeout(() => {
    restoring = undefined
    followConsole()
    putBack()
    seen = seenNow()
    grown = unasked = 0
  }, tellMilliseconds)
}

function begin(): void {
  way = ownSteps()
  position = positionNow()
  seen = seenNow()
  grown = unasked = 0
  lookedAt = performance.now()
}

function look(): void {
  const before = seen
  const moved = followConsole()
  seen = seenNow()
  // Steps forward that are gone, or the first ones of a full history, while the console stayed where it was: something was added.
  const lost = moved === 0 ? Math.max(before.own - seen.own, 0) : 0
  const added = Math.max(seen.length - before.length - Math.max(moved, 0), lost, 0)
  if (moved !== 0) unasked = 0
  grown += added
  const now = performance.now()
  asked = Math.min(asked + (Math.max(now - lookedAt, 0) / 1000) * mostAsked, mostAsked)
  lookedAt = now
  const free = navigator.userActivation.isActive ? Math.min(added, Math.floor(asked)) : 0
  asked -= free
  unasked += added - free
  if (unasked <= mostUnasked) return
  unasked = 0
  setTimeout(() => {
    // It went by itself, or none of them says that it was it.
    if (performance.now() - removedAt > 2 * tellMilliseconds) for (const filled of [...watched]) filled()
    restore()
  }, tellMilliseconds)
}

/** Keeps the way that of the console, whatever became of its history; answers how many steps the console has gone on, or back. */
function followConsole(): number {
  const moved = positionNow() - position
  position += moved
  const here = pathOf(location.href) ?? ''
  if (moved > 0) way = [...way, ...ownSteps().slice(-moved)].slice(-mostPutBack)
  else if (moved < 0) way = way.slice(0, moved)
  way = way.length === 0 ? ownSteps() : [...way.slice(0, -1), here]
  return moved
}

function positionNow(): number {
  return (history.state as { position?: number } | null)?.position ?? 0
}

function seenNow(): { length: number; own: number } {
  return { length: history.length, own: navigationOf()?.entries().length ?? 0 }
}

/** Not every browser knows it; where it is not known the page that is shown stays, and what came before it is behind what was added. */
function navigationOf(): Navigation | undefined {
  return (globalThis as { navigation?: Navigation }).navigation
}

/** The pages of the console up to the one that is shown, as the browser has them. */
function ownSteps(): readonly string[] {
  const known = navigationOf()
  const entries = known?.entries().slice(0, (known.currentEntry?.index ?? -1) + 1) ?? []
  const paths = entries.map(({ url }) => pathOf(url ?? ''))
  const own = paths.slice(paths.lastIndexOf(undefined) + 1).filter((path) => path !== undefined)
  return own.slice(-mostPutBack)
}

/** Of a page of the console the path as its router has it. */
function pathOf(url: string): string | undefined {
  const { origin, pathname, search, hash } = new URL(url, location.href)
  const isOwn = origin === location.origin && pathname.startsWith(`${base}/`)
  return isOwn ? pathname.slice(base.length) + search + hash : undefined
}

/** As the router wrote them when they were gone through, so that it finds its way among them. */
function putBack(): void {
  const last = way.length - 1
  const now = history.state as unknown
  if (last < 1) return
  for (const [at, path] of way.entries()) {
    const state = {
      ...{ back: way[at - 1] ?? null, current: path, forward: way[at + 1] ?? null, replaced: false },
      ...{ position: position - last + at, scroll: null },
    }
    const write = at === 0 ? 'replaceState' : 'pushState'
    history[write](at === last ? now : state, '', base + path)
  }
}
