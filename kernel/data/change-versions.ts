/** Longer than anything is kept in the shared cache. */
const keptMilliseconds = 3_600_000
const keptAtMost = 50_000

interface Version {
  readonly id: number
  readonly until: number
}

/** The last changes a host has heard of, by whose they are; ids of their rows, which are the same on every host. */
export class ChangeVersions {
  // A Map keeps the order of insertion: the oldest are in front.
  readonly #versions = new Map<string, Version>()
  #lost = { id: 0, until: 0 }

  /** Another text after each change. */
  of(kind: string, subject: string): string {
    const now = Date.now()
    const own = this.#versions.get(keyOf(kind, subject))
    const id = own && own.until > now ? own.id : 0
    return this.#lost.until > now ? `${id}.${this.#lost.id}` : String(id)
  }

  /** Takes up a change. */
  set(kind: string, subject: string, id: number): void {
    const now = Date.now()
    const key = keyOf(kind, subject)
    const known = this.#versions.get(key)?.id ?? 0
    this.#versions.delete(key)
    this.#versions.set(key, { id: Math.max(id, known), until: now + keptMilliseconds })
    for (const [oldest, { until }] of this.#versions) {
      if (until > now) break
      this.#versions.delete(oldest)
    }
    if (this.#versions.size > keptAtMost) this.lose()
  }

  /** Makes every version another: it is not known what changed. */
  lose(): void {
    this.#versions.clear()
    this.#lost = { id: Date.now(), until: Date.now() + keptMilliseconds }
  }
}

function keyOf(kind: string, subject: string): string {
  return `${kind}:${subject}`
}
