import { compilePermissionCheck, ExpiringMap, type Authenticator, type Credential, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AccessTokens, VerifiedClaims } from '../tokens/access-tokens.ts'
import type { SessionGuard } from './session-guard.ts'

const keptAtMost = 10_000
// How long a host that missed the word about a revocation may not know of it.
const trustedMilliseconds = 5_000

/** Turns access tokens into principals; a token that was seen a moment ago costs two look-ups in memory. */
export class Principals implements Authenticator {
  readonly #claims = new ExpiringMap<string, VerifiedClaims>(keptAtMost)
  readonly #principals = new ExpiringMap<string, Principal>(keptAtMost)
  readonly #tokens: AccessTokens
  readonly #guard: SessionGuard
  readonly #access: Access
  #changes = 0

  constructor(tokens: AccessTokens, guard: SessionGuard, access: Access) {
    this.#tokens = tokens
    this.#guard = guard
    this.#access = access
  }

  authenticate({ token }: Credential): Promise<Principal> {
    const known = this.#principals.get(token)
    return known ? Promise.resolve(known) : this.#identify(token)
  }

  /** Forgets every principal the test holds for, and what is being worked out at the moment. */
  forget(test: (principal: Principal) => boolean): void {
    this.#changes += 1
    this.#principals.deleteWhere(test)
  }

  async #identify(token: string): Promise<Principal> {
    const changes = this.#changes
    const claims = await this.#verify(token)
    const { userId, tenantId, sessionId } = claims
    const [grants] = await Promise.all([this.#access.grantsOf(tenantId, userId), this.#guard.requireAlive(claims)])
    const principal: Principal = {
      scope: tenantId === 0 ? 'platform' : 'tenant',
      userId,
      tenantId,
      sessionId,
      roles: grants.roles.map(({ code }) => code),
      permissions: grants.permissions,
      can: compilePermissionCheck(grants.permissions),
    }
    const left = claims.expiresAt - Date.now()
    if (changes === this.#changes) this.#principals.set(token, principal, Math.min(left, trustedMilliseconds))
    return principal
  }

  async #verify(token: string): Promise<VerifiedClaims> {
    const known = this.#claims.get(token)
    if (known) return known
    const claims = await this.#tokens.verify(token)
    this.#claims.set(token, claims, claims.expiresAt - Date.now())
    return claims
  }
}
