import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { ExpiringMap } from '#kernel'
import type { Provenance } from '../index-format/plugin-file.ts'
import type { CiAccess } from './access-file.ts'

/** What was proved of a run. */
interface ProvenRun {
  readonly publisher: string
  readonly provenance: Provenance
}

/** An identity token that is not believed; the message says why, and never what the token holds. */
export class CiTokenError extends Error {
  override readonly name = 'CiTokenError'
}

/** Signatures by a public key alone: with a secret that both sides know the index could sign for the issuer. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']
/** Identity tokens of runs live for minutes; one that lives longer is none. */
const mostLifeSeconds = 3_600
const clockSkewSeconds = 30
const timeoutMs = 5_000
const mostIssuers = 20
const mostUsed = 10_000
const keysFreshMs = 60 * 60_000

/** What a provenance takes from the claims of the two code hosts whose tokens most runs have (GitHub's names first, then GitLab's). */
const facts = {
  repository: ['repository', 'project_path'],
  ref: ['ref'],
  commit: ['sha'],
  workflow: ['workflow_ref', 'ci_config_ref_uri'],
  run: ['run_id', 'pipeline_id'],
} as const

/** Believes identity tokens of continuous integrations (OpenID Connect Core 1.0, section 3.1.3.7), each of them once. */
export class CiTokens {
  readonly #keys = new ExpiringMap<string, JWTVerifyGetKey>(mostIssuers)
  readonly #used = new ExpiringMap<string, true>(mostUsed)

  /** Whose run a token proves. Throws a CiTokenError. */
  async prove(token: string, known: readonly CiAccess[]): Promise<ProvenRun> {
    const issuer = issuerOf(token)
    const rules = known.filter((each) => each.issuer === issuer)
    if (rules.length === 0) throw new CiTokenError('nobody named its issuer here')
    const claims = await this.#verify(token, issuer, [...new Set(rules.map(({ audience }) => audience))])
    const rule = rules.find((each) => isFor(claims, each))
    if (!rule) throw new CiTokenError('its claims are of no run that may push here')
    this.#takeOnce(token, claims)
    return { publisher: rule.publisher, provenance: provenanceOf(claims, issuer) }
  }

  async #verify(token: string, issuer: string, audience: string[]): Promise<JWTPayload> {
    try {
      const keys = this.#keys.get(issuer) ?? (await this.#find(issuer))
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms, clockTolerance: clockSkewSeconds },
        requiredClaims: ['exp', 'iat', 'sub'],
        maxTokenAge: mostLifeSeconds,
      })
      if (Number(payload.exp) - Number(payload.iat) > mostLifeSeconds) throw new CiTokenError('it lives too long')
      return payload
    } catch (error) {
      if (error instanceof CiTokenError) throw error
      if (error instanceof errors.JOSEError) throw new CiTokenError(`it does not hold: ${error.code}`)
      throw new CiTokenError('its issuer cannot be asked for its keys')
    }
  }

  /** OpenID Connect Discovery 1.0, section 4. */
  async #find(issuer: string): Promise<JWTVerifyGetKey> {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const said = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
      .then(async (answer) => (answer.ok ? ((await answer.json()) as Record<string, unknown>) : undefined))
      .catch(() => undefined)
    const place = typeof said?.['jwks_uri'] === 'string' ? URL.parse(said['jwks_uri']) : null
    if (!said || said['issuer'] !== issuer || !place || !isIssuerAddress(place))
      throw new CiTokenError('its issuer does not tell its keys')
    const keys = createRemoteJWKSet(place, { timeoutDuration: timeoutMs })
    this.#keys.set(issuer, keys, keysFreshMs)
    return keys
  }

  #takeOnce(token: string, { exp }: JWTPayload): void {
    // By what is signed: signatures can be written in several ways.
    const signed = token.slice(0, token.lastIndexOf('.'))
    const used = typeof exp === 'number' ? exp * 1_000 - Date.now() + clockSkewSeconds * 1_000 : 0
    if (this.#used.get(signed)) throw new CiTokenError('it was used already')
    this.#used.set(signed, true, Math.max(1, used))
  }
}

/** Whether an address may be an issuer's: https, or http on this machine. */
export function isIssuerAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
}

function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    throw new CiTokenError('it is none')
  }
}

function isFor(claims: JWTPayload, { audience, claims: wanted }: CiAccess): boolean {
  const isMeant = [claims.aud].flat().includes(audience)
  return isMeant && Object.entries(wanted).every(([name, value]) => said(claims, name) === value)
}

function provenanceOf(claims: JWTPayload, issuer: string): Provenance {
  const found = Object.entries(facts).flatMap(([fact, names]) => {
    const value = names.map((name) => said(claims, name)).find((each) => each !== undefined)
    return value === undefined ? [] : [[fact, value.slice(0, 500)] as const]
  })
  return { issuer, subject: String(claims.sub).slice(0, 500), ...Object.fromEntries(found) }
}

/** A claim as a text: numbers of runs are numbers with some issuers. */
function said(claims: JWTPayload, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
