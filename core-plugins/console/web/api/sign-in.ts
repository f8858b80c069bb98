import { authPath } from '../session/refresh.ts'
import type { SignedIn } from '../session/session.ts'
import type { SessionScope } from '../tab/hint.ts'
import { call } from './client.ts'

/** Which tenant a sign-in is for; none is the platform, or the tenant of the host. */
interface Credentials {
  readonly account: string
  readonly password: string
  readonly tenant_code?: string | undefined
  readonly captcha?:
    { readonly provider_code: string; readonly challenge_id: string; readonly solution: string } | undefined
}

/** A picture to be read. */
export interface Challenge {
  readonly provider_code: string
  readonly challenge_id: string
  readonly challenge: { readonly type?: string; readonly image?: string }
}

/** Signs in with a password; throws 4017 where a second factor is wanted, 4004 and 4005 where a captcha is. */
export function signIn(scope: SessionScope, credentials: Credentials): Promise<SignedIn> {
  const body = { ...credentials, device_name: deviceName(), token_delivery: 'cookie' }
  return call('POST', `${authPath(scope)}/login/json`, { body, open: true })
}

/** The second step of a sign-in. */
export function verifySecondFactor(scope: SessionScope, mfaToken: string, code: string): Promise<SignedIn> {
  const method = /^\d{6}$/.test(code) ? 'totp' : 'recovery_code'
  const body = { mfa_token: mfaToken, method, code, device_name: deviceName(), token_delivery: 'cookie' }
  return call('POST', `${authPath(scope)}/mfa/verify`, { body, open: true })
}

/** Makes the holder of a set-up link the first administrator, signed in. */
export function setUp(body: {
  token: string
  email: string
  password: string
  site_name: string
  locale: string
}): Promise<SignedIn> {
  return call('POST', '/api/public/setup', { body: { ...body, token_delivery: 'cookie' }, open: true })
}

/** A captcha for a sign-in. */
export function askChallenge(body: {
  readonly endpoint: 'admin' | 'user'
  readonly tenant_code?: string | undefined
  readonly provider_code?: string | undefined
}): Promise<Challenge> {
  return call('POST', '/api/public/captcha/challenge', { body, open: true })
}

/** What a browser calls itself, for the list of sessions. */
function deviceName(): string {
  const agent = navigator.userAgent
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : 'Safari'
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) => agent.includes(name)) ?? 'a device'
  return `${browser} on ${system}`
}
