import { onScopeDispose, watch } from 'vue'
import { useQueryClient } from '@tanstack/vue-query'
import { isChanging } from '../api/changing.ts'
import { loadMe, loadMenus } from '../api/me.ts'
import { session } from '../session/session.ts'
import { hear, live } from './live.ts'
import { isBelow, pathsOf, type News } from './topics.ts'

/** What many events at once make old is read once. */
const gatherMilliseconds = 100
/** How often lists are read while nothing is heard. */
const pollMilliseconds = 30_000
/** So many times what is old waits for what this tab does: for 10 s in all. */
const mostDelays = 100

const listeners = new Set<(news: News) => void>()

/** Hears what happens, until the component goes. */
export function onNews(listener: (news: News) => void): void {
  listeners.add(listener)
  onScopeDispose(() => listeners.delete(listener))
}

/** Keeps what the pages show as it is on the server: events make answers old, and never write them. */
export function useLive(): void {
  const client = useQueryClient()
  const old = new Set<string>()
  let wantsAll = false
  let wantsMe = false
  let wantsMenus = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let delays = 0

  /** A form that somebody fills in keeps the version that it began with; a log looks for what is newer by itself. */
  const readAgain = (isOld: (key: readonly unknown[]) => boolean) =>
    void client.invalidateQueries({
      predicate: ({ queryKey, meta }) => meta?.['isEdited'] !== true && meta?.['isLog'] !== true && isOld(queryKey),
    })
  const isReadingOn = () =>
    client.isFetching({ predicate: ({ state }) => state.fetchMeta?.fetchMore !== undefined }) > 0
  const flush = () => {
    timer = undefined
    // Who changed it hears the answer first: a page read before that may be gone, and with it the form that waits.
    // To read a list again would call off what is on its way of its next page.
    if ((isChanging() || isReadingOn()) && (delays += 1) <= mostDelays) return gather()
    delays = 0
    const beginnings = [...old]
    const isAll = wantsAll
    old.clear()
    readAgain(([place]) => isAll || isBelow(place, beginnings))
    const read = wantsMe ? loadMe() : wantsMenus ? loadMenus() : undefined
    read?.catch(() => undefined)
    wantsAll = wantsMe = wantsMenus = false
  }
  const gather = () => {
    timer ??= setTimeout(flush, gatherMilliseconds)
  }
  const news = (item: News) => {
    for (const path of pathsOf(item.event)) old.add(path)
    wantsMe ||= item.event === 'permission.changed' || item.event === 'preference.global_changed'
    wantsMenus ||= item.event === 'menus.changed' || item.event.startsWith('plugin.')
    gather()
    for (const listener of listeners) listener(item)
  }
  // Each connection says so of itself, and they come one shortly after the other.
  const missed = () => {
    wantsAll = true
    gather()
  }

  let stop: (() => void) | undefined
  // Two sources and not a list of them: a list is another one each time that somebody's profile is read.
  watch(
    [() => session.state.scope, () => session.state.me?.user.id],
    ([scope, userId]) => {
      stop?.()
      stop = scope && userId !== undefined ? hear({ scope, userId }, { news, missed }) : undefined
    },
    { immediate: true },
  )
  const poll = setInterval(() => {
    if (live.isLive !== true && document.visibilityState === 'visible') missed()
  }, pollMilliseconds)
  onScopeDispose(() => {
    stop?.()
    clearInterval(poll)
    clearTimeout(timer)
  })
}
