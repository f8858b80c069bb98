import type { GateUse, GuestLicense } from '#sandbox'
import type { LicenceBook as Book, LicenceStanding as Standing } from '../../plugins/contract.ts'

/** How a plugin is licensed for somebody. */
export type LicenceState = GuestLicense['state']

/** What one licence gives a tenant, or every one but some. */
export interface LicenceGrant {
  readonly kind: 'lic' | 'trial'
  readonly tenant: number | { readonly allBut: ReadonlySet<number> }
  readonly features: readonly string[]
  /** Milliseconds since 1970; `Infinity` where it does not end. */
  readonly startsAt: number
  readonly expiresAt: number
  readonly graceUntil: number
  readonly isRevoked: boolean
}

/** How a plugin is licensed for somebody at a moment, and until when. */
export interface LicenceStanding extends Standing {
  /** The licence that counts most, if there is any. */
  readonly grant: LicenceGrant | undefined
  /** When it stands otherwise, in milliseconds since 1970, without anybody doing anything. */
  readonly until: number
}

/** What a book is made of. */
interface LicenceTerms {
  readonly scope: 'platform' | 'tenant'
  /** A free plugin is used without a licence, which may still open features of it. */
  readonly isCommercial: boolean
  readonly grants: readonly LicenceGrant[]
}

/** The best first. */
const ranks: readonly LicenceState[] = ['active', 'trial', 'grace', 'expired', 'revoked', 'none']
const usableStates: ReadonlySet<LicenceState> = new Set<LicenceState>(['active', 'trial', 'grace'])

/**
 * The licences of one plugin, as every call asks them. Of several the best counts, and what the usable ones open is open.
 *
 * - `trial`, `active`, `grace`: everything goes on.
 * - `expired`, `revoked`: what is there can be read, for ever: routes with GET and tools with the effect `read`. Everything
 *   else waits or is refused with 403/4038: other routes and tools, schedules, captchas, AI providers; events are kept
 *   for a week. Nothing is deleted, settings can be read and changed, storage drivers go on, because files of others lie there.
 * - `none`, it never was licensed: nothing but its pages, which can say so.
 *
 * A plugin of scope `platform` has one licence for the whole site. For the platform's side of a plugin of tenants, which is
 * tenant 0, the licence of any tenant counts. A free plugin is never refused.
 */
export class LicenceBook implements Book {
  readonly #terms: LicenceTerms
  readonly #standings = new Map<number, LicenceStanding>()

  constructor(terms: LicenceTerms) {
    this.#terms = terms
  }

  /** Whether there is anything in it that a clock can change. */
  get isEmpty(): boolean {
    return this.#terms.grants.length === 0
  }

  get isCommercial(): boolean {
    return this.#terms.isCommercial
  }

  /** The tenants that licences name, and 0 for a plugin of the platform. */
  get tenants(): readonly number[] {
    if (this.#terms.scope === 'platform') return [0]
    return [...new Set(this.#terms.grants.flatMap(({ tenant }) => (typeof tenant === 'number' ? [tenant] : [])))]
  }

  /** How the plugin is licensed for a tenant (0 = the platform) at a time in milliseconds since 1970, which never goes back. */
  of(tenantId: number, now: number): LicenceStanding {
    const known = this.#standings.get(tenantId)
    if (known && now < known.until) return known
    const standing = computeStanding(this.#grantsFor(tenantId), now)
    this.#standings.set(tenantId, standing)
    return standing
  }

  /** Whether licences let a tenant use the plugin for this. */
  allows(tenantId: number, use: GateUse, now: number): boolean {
    if (!this.#terms.isCommercial || use === 'view') return true
    const { state } = this.of(tenantId, now)
    return usableStates.has(state) || (use === 'read' && state !== 'none')
  }

  #grantsFor(tenantId: number): readonly LicenceGrant[] {
    const { scope, grants } = this.#terms
    if (scope === 'platform' || tenantId === 0) return grants
    return grants.filter(({ tenant }) =>
      typeof tenant === 'number' ? tenant === tenantId : !tenant.allBut.has(tenantId),
    )
  }
}

/** What one licence is worth at a time. */
export function stateOf({ kind, expiresAt, graceUntil, isRevoked }: Omit<LicenceGrant, 'tenant'>, now: number) {
  if (isRevoked) return 'revoked' as const
  if (now < expiresAt) return kind === 'trial' ? ('trial' as const) : ('active' as const)
  return now < graceUntil ? ('grace' as const) : ('expired' as const)
}

function computeStanding(grants: readonly LicenceGrant[], now: number): LicenceStanding {
  const judged = grants
    .map((grant) => ({ grant, state: stateOf(grant, now) }))
    .sort((a, b) => ranks.indexOf(a.state) - ranks.indexOf(b.state) || b.grant.expiresAt - a.grant.expiresAt)
  const [best] = judged
  const usable = judged.filter(({ state }) => usableStates.has(state))
  const expiresAt = best?.grant.expiresAt ?? Infinity
  return {
    state: best?.state ?? 'none',
    features: [...new Set(usable.flatMap(({ grant }) => grant.features))].sort(),
    expiresAt: presentTime(expiresAt),
    graceUntil: presentTime(best?.grant.graceUntil ?? Infinity),
    grant: best?.grant,
    until: Math.min(
      ...usable.flatMap(({ grant }) => [grant.expiresAt, grant.graceUntil].filter((time) => time > now)),
      Infinity,
    ),
  }
}

function presentTime(milliseconds: number): string | null {
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : null
}
