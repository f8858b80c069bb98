import { reactive } from 'vue'
import { session } from '../session/session.ts'
import type { SessionScope } from '../tab/hint.ts'
import { onTabs, tellTabs } from '../tab/tabs.ts'
import { Connection } from './connection.ts'
import type { Namespace, News } from './topics.ts'

/** Whose events are heard. */
interface Whose {
  readonly scope: SessionScope
  readonly userId: number
}

/** What is told to the pages of this tab. */
export interface Hearing {
  news(news: News): void
  missed(): void
}

const namespaces: Readonly<Record<SessionScope, readonly Namespace[]>> = {
  platform: ['user', 'admin'],
  tenant: ['user', 'tenant'],
}

/** Whether what happens is heard at once; undefined until that is known for the first time. */
export const live = reactive({ isLive: undefined as boolean | undefined })

/**
 * Hears what happens to a user until the returned function is called. Of all tabs of a browser one has the connections and tells the
 * others; when it goes, another goes on from the last event that it was told.
 */
export function hear({ scope, userId }: Whose, hearing: Hearing): () => void {
  const end = new AbortController()
  const { signal } = end
  const isAlone = session.state.impersonation !== undefined
  const last = new Map<Namespace, string>()
  const states = new Map<Namespace, boolean>()
  let connections: readonly Connection[] = []

  const take = (news: News) => {
    last.set(news.namespace, news.id)
    hearing.news(news)
  }
  const tell = (message: Parameters<typeof tellTabs>[0]) => {
    if (!isAlone) tellTabs(message)
  }
  const show = (isLive: boolean) => {
    live.isLive = isLive
  }
  const tellState = () => tell({ type: 'live', scope, userId, isLive: live.isLive === true })
  const lead = () => {
    connections = namespaces[scope].map(
      (namespace) =>
        new Connection(namespace, last.get(namespace), {
          news(news) {
            take(news)
            tell({ type: 'news', scope, userId, news })
          },
          missed() {
            hearing.missed()
            tell({ type: 'missed', scope, userId })
          },
          state(isLive) {
            states.set(namespace, isLive)
            if (states.size < namespaces[scope].length && isLive) return
            show([...states.values()].every(Boolean))
            tellState()
          },
        }),
    )
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  const stopTabs = onTabs((message) => {
    if (isAlone || message.scope !== scope || !('userId' in message) || message.userId !== userId) return
    if (message.type === 'news') take(message.news)
    if (message.type === 'missed') hearing.missed()
    if (message.type === 'live') show(message.isLive)
    if (message.type === 'live-wanted' && connections.length > 0) tellState()
  })
  const hurry = () => connections.forEach((connection) => connection.hurry())
  const look = () => document.visibilityState === 'visible' && hurry()
  window.addEventListener('online', hurry)
  document.addEventListener('visibilitychange', look)
  if (isAlone) void lead()
  else {
    tell({ type: 'live-wanted', scope, userId })
    navigator.locks.request(`stoa.realtime.${scope}.${userId}`, { signal }, lead).catch(() => undefined)
  }

  return () => {
    end.abort()
    connections.forEach((connection) => connection.end())
    stopTabs()
    window.removeEventListener('online', hurry)
    document.removeEventListener('visibilitychange', look)
    live.isLive = undefined
  }
}
