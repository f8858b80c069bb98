/** Languages of the console. */
export type LocaleName = 'en' | 'zh-CN'
/** Whether the session is the platform's or a tenant's. */
export type SessionScope = 'platform' | 'tenant'
/** How the pages look. */
export type Theme = 'system' | 'light' | 'dark'

/** What the browser keeps of who was here; nothing in it opens anything. */
interface Hint {
  readonly scope?: SessionScope | undefined
  readonly user_id?: number | undefined
  readonly locale?: LocaleName | undefined
  readonly theme?: Theme | undefined
}

const key = 'stoa.hint'

/** What this tab knows, or else what the last one did. */
export function readHint(): Hint {
  return { ...read(localStorage), ...read(sessionStorage) }
}

/** Keeps more of it, for this tab and for new ones. */
export function keepHint(more: Hint): void {
  for (const store of [localStorage, sessionStorage]) store.setItem(key, JSON.stringify({ ...read(store), ...more }))
}

function read(store: Storage): Hint {
  try {
    return (JSON.parse(store.getItem(key) ?? '{}') as Hint | null) ?? {}
  } catch {
    return {}
  }
}
