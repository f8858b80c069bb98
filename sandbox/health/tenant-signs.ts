import { addSigns, noSigns, SignWindow, type BreakerSign, type SignTotals } from './sign-window.ts'

/** The tenants whose calls are remembered, those that called last: a plugin's memory of signs must not grow with its tenants. */
const mostTenants = 100

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
    if (this.#windows.size <= mostTenants) return
    for (const oldest of this.#windows.keys()) return void this.#windows.delete(oldest)
  }

  /** Of all tenants but one, or of that one. */
  totals(tenantId: number, now: number): { readonly own: SignTotals; readonly others: SignTotals } {
    let others = noSigns
    for (const [id, window] of this.#windows) if (id !== tenantId) others = addSigns(others, window.totals(now))
    return { own: this.#windows.get(tenantId)?.totals(now) ?? noSigns, others }
  }

  forget(tenantId: number): void {
    this.#windows.delete(tenantId)
  }

  clear(): void {
    this.#windows.clear()
  }
}
