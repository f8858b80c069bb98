import type { SessionScope } from './hint.ts'

/** What tabs of one browser tell each other. */
export type TabMessage =
  | { readonly type: 'token-wanted'; readonly scope: SessionScope }
  | { readonly type: 'token'; readonly scope: SessionScope; readonly token: SharedToken }
  | { readonly type: 'ended'; readonly scope: SessionScope; readonly cause: string }
  | { readonly type: 'signed-out'; readonly scope: SessionScope }
  | { readonly type: 'signed-in'; readonly scope: SessionScope; readonly userId: number }
  | { readonly type: 'news'; readonly scope: SessionScope; readonly userId: number; readonly news: SharedNews }
  | { readonly type: 'missed'; readonly scope: SessionScope; readonly userId: number }
  | { readonly type: 'live'; readonly scope: SessionScope; readonly userId: number; readonly isLive: boolean }
  | { readonly type: 'live-wanted'; readonly scope: SessionScope; readonly userId: number }

/** What happened, as the tab that hears it tells the others. */
export interface SharedNews {
  readonly namespace: 'user' | 'tenant' | 'admin'
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An access token, and in milliseconds since 1970 when it was issued and when it ends. */
export interface SharedToken {
  readonly text: string
  readonly issuedAt: number
  readonly endsAt: number
}

const channel = new BroadcastChannel('stoa')
const listeners = new Set<(message: TabMessage) => void>()

channel.addEventListener('message', (event: MessageEvent<TabMessage>) => {
  for (const listener of listeners) listener(event.data)
})

/** Tells the other tabs. */
export function tellTabs(message: TabMessage): void {
  channel.postMessage(message)
}

/** Hears what the other tabs tell, until the returned function is called. */
export function onTabs(listener: (message: TabMessage) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
