import { ExpiringMap, type GuardedFetch } from '#kernel'
import { McpAuthError } from '../errors.ts'
import { isObject } from '../wire/json-rpc.ts'

/** Who asks for a token, and where (RFC 6749, section 4.4). */
interface ClientCredentials {
  /** Of the server that the token is for, with its version: another one gets none of its tokens. */
  readonly holder: string
  readonly tokenUrl: URL
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | undefined
  readonly resource: string
}

const mostTokens = 2_000
const usualSeconds = 300
const longestSeconds = 3_600
/** A token is not used in its last moments. */
const marginSeconds = 15
const answerBytes = 65_536

/** Tokens that servers are opened with, kept in memory until shortly before they end. */
export class ClientTokens {
  readonly #http: Pick<GuardedFetch, 'fetch'>
  readonly #kept = new ExpiringMap<string, string>(mostTokens)

  constructor(http: Pick<GuardedFetch, 'fetch'>) {
    this.#http = http
  }

  /** Throws 502/5021 where there is none. */
  async get(credentials: ClientCredentials, signal: AbortSignal, isRefused: boolean): Promise<string> {
    const { holder } = credentials
    if (isRefused) this.#kept.delete(holder)
    const known = this.#kept.get(holder)
    if (known !== undefined) return known
    const { token, seconds } = await this.#ask(credentials, signal)
    if (seconds > marginSeconds) this.#kept.set(holder, token, (seconds - marginSeconds) * 1_000)
    return token
  }

  async #ask({ tokenUrl, clientId, clientSecret, scope, resource }: ClientCredentials, signal: AbortSignal) {
    const form = new URLSearchParams({ grant_type: 'client_credentials', resource })
    if (scope !== undefined) form.set('scope', scope)
    const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':')
    const { status, body } = await this.#http.fetch({
      url: tokenUrl,
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: form.toString(),
      maxBytes: answerBytes,
      signal,
    })
    const said = parse(body.toString('utf8'))
    const token = said?.['access_token']
    const isToken = typeof token === 'string' && /^[\x21-\x7e]{1,8192}$/.test(token)
    if (status !== 200 || !isToken) throw new McpAuthError()
    const seconds = Number(said?.['expires_in'] ?? usualSeconds)
    return { token, seconds: Number.isFinite(seconds) ? Math.min(seconds, longestSeconds) : usualSeconds }
  }
}

function parse(text: string) {
  try {
    const value = JSON.parse(text) as unknown
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
