import { LockBusyError } from './errors.ts'
import { defaultLockOptions, type LockOptions, type Locks } from './lock.ts'

/** Locks of this process alone, given in the order they were asked for. */
export class MemoryLocks implements Locks {
  /** The waiters of each lock that is held. */
  readonly #waiting = new Map<string, (() => void)[]>()

  async withLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, options?: LockOptions): Promise<T> {
    await this.#acquire(name, options?.waitMs ?? defaultLockOptions.waitMs)
    try {
      return await work(new AbortController().signal)
    } finally {
      const next = this.#waiting.get(name)?.shift()
      if (next) next()
      else this.#waiting.delete(name)
    }
  }

  #acquire(name: string, waitMs: number): Promise<void> {
    const queue = this.#waiting.get(name)
    if (!queue) {
      this.#waiting.set(name, [])
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(enter), 1)
        reject(new LockBusyError({ name }))
      }, waitMs)
      const enter = (): void => {
        clearTimeout(timer)
        resolve()
      }
      queue.push(enter)
    })
  }
}
