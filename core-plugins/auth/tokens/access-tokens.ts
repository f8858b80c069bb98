import { randomUUID, type KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Actor, AuthenticationMethods } from '../contract.ts'
import { TokenExpiredError, TokenInvalidError } from '../errors.ts'
import type { KeyRing } from './key-ring.ts'

const audience = 'api'
const type = 'at+jwt'
const longest = 8192
// What the database's integers hold.
const largestId = 2 ** 31 - 1
// Ten thousand years, within what a date can be.
const latestSeconds = 253_402_300_799
const sessionIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** What an access token says. */
export interface AccessClaims {
  readonly userId: number
  readonly tenantId: number
  readonly sessionId: string
  readonly roles: readonly string[]
  /** The version of the credentials at sign-in. */
  readonly version: number
  readonly methods: AuthenticationMethods
  readonly actor?: Actor | undefined
  /** When the user signed in. */
  readonly authenticatedAt: Date
}

/** Claims that were checked, and the end of their time in milliseconds. */
export interface VerifiedClaims extends AccessClaims {
  readonly expiresAt: number
}

/** Signs access tokens with the first key of the ring and verifies them with whichever key they name. */
export class AccessTokens {
  readonly #ring: KeyRing
  readonly #issuer: string

  constructor(ring: KeyRing, issuer: string) {
    this.#ring = ring
    this.#issuer = issuer
  }

  /** A token that is good for so many seconds. */
  async sign(claims: AccessClaims, seconds: number): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const { algorithm, signingName, signingKey } = this.#ring
    return new SignJWT(presentClaims(claims))
      .setProtectedHeader({ alg: algorithm, typ: type, kid: signingName })
      .setIssuer(this.#issuer)
      .setAudience(audience)
      .setSubject(String(claims.userId))
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(demandKey(signingKey))
  }

  /** Throws 401/4012 for a token that is too old and 401/4013 for one that is not ours. */
  async verify(token: string): Promise<VerifiedClaims> {
    if (token.length > longest) throw new TokenInvalidError()
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => demandKey(this.#ring.findVerifyingKey(kid)), {
        algorithms: [this.#ring.algorithm],
        typ: type,
        audience,
        requiredClaims: ['exp', 'iat', 'sub', 'jti', 'iss'],
      })
      if (!isSameIssuer(payload.iss, this.#issuer)) throw new TokenInvalidError()
      return readClaims(payload)
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) throw new TokenExpiredError({ cause })
      if (cause instanceof errors.JOSEError) throw new TokenInvalidError({ cause })
      throw cause
    }
  }
}

function demandKey(key: KeyObject | undefined): KeyObject {
  if (!key) throw new errors.JOSENotSupported('no key of the ring has this kid')
  return key
}

/** Hosts that a developer starts beside each other differ in the port of their address, and are one platform. */
function isSameIssuer(named: string | undefined, own: string): boolean {
  return named === own || (isOnLocalhost(named) && isOnLocalhost(own))
}

function isOnLocalhost(url: string | undefined): boolean {
  return url !== undefined && URL.parse(url)?.hostname === 'localhost'
}

function presentClaims({ actor, ...claims }: AccessClaims): JWTPayload {
  return {
    user_id: claims.userId,
    tenant_id: claims.tenantId,
    scope: claims.tenantId === 0 ? 'platform' : 'tenant',
    roles: claims.roles,
    sid: claims.sessionId,
    ver: claims.version,
    amr: claims.methods,
    auth_time: Math.floor(claims.authenticatedAt.getTime() / 1000),
    ...(actor && { act: { sub: String(actor.userId), tenant_id: actor.tenantId } }),
  }
}

function readClaims(payload: JWTPayload): VerifiedClaims {
  const { user_id: userId, tenant_id: tenantId, sid: sessionId, ver: version, roles, exp = 0 } = payload
  const { amr: methods, auth_time: seconds, act } = payload
  const isWhole =
    isWithin(userId, 1, largestId) &&
    isWithin(tenantId, 0, largestId) &&
    isWithin(version, 0, largestId) &&
    isWithin(seconds, 0, latestSeconds) &&
    typeof sessionId === 'string' &&
    sessionIdPattern.test(sessionId) &&
    isTexts(roles) &&
    isTexts(methods)
  if (!isWhole) throw new TokenInvalidError()
  const claims = { userId, tenantId, sessionId, version, roles, methods } as Omit<AccessClaims, 'authenticatedAt'>
  const authenticatedAt = new Date(Number(seconds) * 1000)
  return { ...claims, authenticatedAt, actor: readActor(act), expiresAt: exp * 1000 }
}

function readActor(act: unknown): Actor | undefined {
  if (act === undefined) return undefined
  const userId = typeof act === 'object' && act !== null && 'sub' in act ? Number(act.sub) : NaN
  if (!isWithin(userId, 1, largestId)) throw new TokenInvalidError()
  return { userId, tenantId: 0 }
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
