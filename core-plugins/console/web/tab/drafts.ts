const prefix = 'stoa.draft.'

/** What was typed and not saved, and when. */
export interface Draft<T> {
  readonly at: number
  readonly values: T
}

/** Keeps what was typed until it is saved or its tab is closed. Never secrets: the caller leaves them out. */
export function keepDraft<T>(name: string, values: T): void {
  sessionStorage.setItem(prefix + name, JSON.stringify({ at: Date.now(), values } satisfies Draft<T>))
}

/** What was typed there before, if it was not saved. */
export function findDraft<T>(name: string): Draft<T> | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null') as Draft<T> | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Forgets what was typed there: it is saved, or nobody wants it. */
export function forgetDraft(name: string): void {
  sessionStorage.removeItem(prefix + name)
}

/** Forgets every draft of this tab. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
