/** How long to wait for a lock, and how soon a holder that died loses it. */
export interface LockOptions {
  /** 10 s unless said otherwise; then LockBusyError. */
  readonly waitMs?: number
  /** 30 s unless said otherwise; renewed while the work runs. */
  readonly ttlMs?: number
}

/** One at a time, for things whose truth is not in PostgreSQL. */
export interface Locks {
  /** Runs work alone under the name; its signal aborts when the lock was lost under it. */
  withLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, options?: LockOptions): Promise<T>
}

export const defaultLockOptions = { waitMs: 10_000, ttlMs: 30_000 } as const
