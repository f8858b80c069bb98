import { compilePermissionCheck, ExpiringMap, type Authenticator, type Credential, type Principal } from '#kernel'
import type { Restriction } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import { compileAddressList } from '../address-list.ts'
import {
  ActorRefusedError,
  IpNotAllowedError,
  PasswordChangeRequiredError,
  SecondFactorRequiredError,
} from '../errors.ts'
import type { CallerChanges } from '../contract.ts'
import { requireNoMaintenance } from '../maintenance.ts'
import type { AccessTokens, VerifiedClaims } from '../tokens/access-tokens.ts'
import type { SessionGuard } from './session-guard.ts'

const keptAtMost = 10_000
// How long a host that missed the word about a revocation may not know of it.
const trustedMilliseconds = 5_000

/** A caller and what bounds them. */
interface Known {
  readonly principal: Principal
  readonly restriction: Restriction | null
  /** Whether the caller may come from an address; undefined is from anywhere. */
  readonly admits: ((ip: string) => boolean) | undefined
}

/** What callers are told by. */
interface PrincipalParts {
  readonly tokens: AccessTokens
  readonly guard: SessionGuard
  readonly access: Access
  readonly config: ConfigReader
}

/** Turns access tokens into principals; a token that was seen a moment ago costs two look-ups in memory. */
export class Principals implements Authenticator, CallerChanges {
  readonly #claims = new ExpiringMap<string, VerifiedClaims>(keptAtMost)
  readonly #known = new ExpiringMap<string, Known>(keptAtMost)
  readonly #parts: PrincipalParts
  readonly #listeners = new Set<(test: (principal: Principal) => boolean) => void>()
  #changes = 0

  constructor(parts: PrincipalParts) {
    this.#parts = parts
  }

  async authenticate(credential: Credential): Promise<Principal> {
    const known = this.#known.get(credential.token) ?? (await this.#identify(credential.token))
    requirePassage(known, credential)
    return known.principal
  }

  /** Forgets every principal the test holds for, and what is being worked out at the moment. */
  forget(test: (principal: Principal) => boolean): void {
    this.#changes += 1
    this.#known.deleteWhere(({ principal }) => test(principal))
    for (const listener of this.#listeners) listener(test)
  }

  onForgotten(listener: (test: (principal: Principal) => boolean) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  async #identify(token: string): Promise<Known> {
    const changes = this.#changes
    const claims = await this.#verify(token)
    const { userId, tenantId, actor } = claims
    const { access, guard, config } = this.#parts
    const [grants, restriction, admits] = await Promise.all([
      access.grantsOf(tenantId, userId),
      guard.requireAlive(claims),
      // The platform's staff come from nowhere else when they act in a tenant.
      tenantId === 0 || actor ? this.#admission() : undefined,
      requireNoMaintenance(config, tenantId),
    ])
    const roles = grants.roles.map(({ code }) => code)
    const known = { principal: principalOf(claims, roles, grants.permissions), restriction, admits }
    const left = claims.expiresAt - Date.now()
    if (changes === this.#changes) this.#known.set(token, known, Math.min(left, trustedMilliseconds))
    return known
  }

  async #admission(): Promise<Known['admits']> {
    const allowed = await this.#parts.config.get<readonly string[]>('admin_ip_allowlist', 0, [])
    return allowed.length > 0 ? compileAddressList(allowed) : undefined
  }

  async #verify(token: string): Promise<VerifiedClaims> {
    const known = this.#claims.get(token)
    if (known) return known
    const claims = await this.#parts.tokens.verify(token)
    this.#claims.set(token, claims, claims.expiresAt - Date.now())
    return claims
  }
}

function principalOf(claims: VerifiedClaims, roles: readonly string[], permissions: readonly string[]): Principal {
  const { userId, tenantId, sessionId, methods, actor, authenticatedAt, expiresAt } = claims
  return {
    scope: tenantId === 0 ? 'platform' : 'tenant',
    userId,
    tenantId,
    sessionId,
    roles,
    permissions,
    methods,
    authenticatedAt,
    expiresAt: new Date(expiresAt),
    ...(actor && { actor }),
    can: compilePermissionCheck(permissions),
  }
}

/** The one place that holds a caller to the own restriction, address and person. */
function requirePassage(
  { principal, restriction, admits }: Known,
  { ip, whileRestricted = [], inPerson = false }: Credential,
): void {
  if (admits && !admits(ip)) throw new IpNotAllowedError()
  if (inPerson && principal.actor) throw new ActorRefusedError()
  if (restriction === null || whileRestricted.includes(restriction)) return
  const RestrictedError =
    restriction === 'second_factor_required' ? SecondFactorRequiredError : PasswordChangeRequiredError
  throw new RestrictedError({ details: { cause: restriction } })
}
