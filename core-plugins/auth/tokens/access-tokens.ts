import { createSecretKey, randomUUID, type KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { TokenExpiredError, TokenInvalidError } from '../errors.ts'

const audience = 'api'
const type = 'at+jwt'
const algorithm = 'HS256'
const longest = 8192

/** What an access token says. */
export interface AccessClaims {
  readonly userId: number
  readonly tenantId: number
  readonly sessionId: string
  readonly roles: readonly string[]
  /** The version of the credentials at sign-in. */
  readonly version: number
}

/** Claims that were checked, and the end of their time in milliseconds. */
export interface VerifiedClaims extends AccessClaims {
  readonly expiresAt: number
}

/** Signs access tokens with the first key of the ring and verifies them with whichever key they name. */
export class AccessTokens {
  readonly #keys: ReadonlyMap<string, KeyObject>
  readonly #signing: string
  readonly #issuer: string

  constructor(ring: ReadonlyMap<string, string>, issuer: string) {
    this.#keys = new Map([...ring].map(([kid, secret]) => [kid, createSecretKey(Buffer.from(secret))]))
    this.#signing = [...ring.keys()][0] ?? ''
    this.#issuer = issuer
  }

  async sign({ userId, tenantId, sessionId, roles, version }: AccessClaims, seconds: number): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const scope = tenantId === 0 ? 'platform' : 'tenant'
    const claims = { user_id: userId, tenant_id: tenantId, scope, roles, sid: sessionId, ver: version, amr: ['pwd'] }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: type, kid: this.#signing })
      .setIssuer(this.#issuer)
      .setAudience(audience)
      .setSubject(String(userId))
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(this.#key(this.#signing))
  }

  /** Throws 401/4012 for a token that is too old and 401/4013 for one that is not ours. */
  async verify(token: string): Promise<VerifiedClaims> {
    if (token.length > longest) throw new TokenInvalidError()
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#key(kid), {
        algorithms: [algorithm],
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

  #key(kid: string | undefined): KeyObject {
    const key = this.#keys.get(kid ?? '')
    if (!key) throw new errors.JOSENotSupported('no key of the ring has this kid')
    return key
  }
}

/** Hosts that a developer starts beside each other differ in the port of their address, and are one platform. */
function isSameIssuer(named: string | undefined, own: string): boolean {
  return named === own || (isOnLocalhost(named) && isOnLocalhost(own))
}

function isOnLocalhost(url: string | undefined): boolean {
  return url !== undefined && URL.parse(url)?.hostname === 'localhost'
}

function readClaims(payload: JWTPayload): VerifiedClaims {
  const { user_id: userId, tenant_id: tenantId, sid: sessionId, ver: version, roles, exp = 0 } = payload
  const isWhole =
    Number.isSafeInteger(userId) &&
    Number.isSafeInteger(tenantId) &&
    Number.isSafeInteger(version) &&
    typeof sessionId === 'string' &&
    Array.isArray(roles)
  if (!isWhole) throw new TokenInvalidError()
  const claims = { userId, tenantId, sessionId, version, roles } as AccessClaims
  return { ...claims, expiresAt: exp * 1000 }
}
