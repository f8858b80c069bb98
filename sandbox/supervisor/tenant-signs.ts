import { SignWindow, type BreakerSign } from './sign-window.ts'

/** The tenants whose calls are remembered, those that called last: a plugin's memory of signs must not grow with its tenants. */
const MOST_TENANTS = 100

/** How often each sign was seen. */
export type SignTotals = Readonly<Record<BreakerSign, number>>

/** How the calls of the latest while ended, by tenant. */
export class TenantSigns {
  readonly #withinMs: number
  /** Least recently used first. */
  readonly #windows = new Map<number, SignWindow>()

  constructor(withinMs: number) {
    this.#withinMs = withinMs
  }

  add(tenantId: number, sign: BreakerSign, now: number): void {
    const window = this.#windows.get(tenantId) ?? new SignWindow(this.#withinMs)
    this.#windows.delete(tenantId)
    this.#windows.set(tenantId, window)
    window.add(sign, now)
    if (this.#windows.size <= MOST_TENANTS) return
    for (const oldest of this.#windows.keys()) return void this.#windows.delete(oldest)
  }

  /** Of all tenants but one, or of that one. */
  totals(tenantId: number, now: number): { readonly own: SignTotals; readonly others: SignTotals } {
    const others = { ok: 0, error: 0, limit: 0 }
    for (const [id, window] of this.#windows) {
      if (id === tenantId) continue
      const { ok, error, limit } = window.totals(now)
      others.ok += ok
      others.error += error
      others.limit += limit
    }
    return { own: this.#windows.get(tenantId)?.totals(now) ?? { ok: 0, error: 0, limit: 0 }, others }
  }

  forget(tenantId: number): void {
    this.#windows.delete(tenantId)
  }

  clear(): void {
    this.#windows.clear()
  }
}
