import type { SentCodeBody } from '../../../auth/wire.ts'
import { authPath } from '../session/refresh.ts'
import type { SignedIn } from '../session/session.ts'
import type { SessionScope } from '../tab/hint.ts'
import { call } from './client.ts'

/** For what a captcha may be asked. */
export type CaptchaAction = 'login' | 'register' | 'forgot_password' | 'login_code'

/** The answer to a captcha. */
export interface CaptchaAnswer {
  readonly provider_code: string
  readonly challenge_id: string
  readonly solution: string
}

/** Which tenant somebody is of: none is the platform, or the tenant of the host. */
interface ForTenant {
  readonly tenant_code?: string | undefined
  readonly captcha?: CaptchaAnswer | undefined
}

/** By which address a code comes. */
export type CodeAddress = { readonly email: string } | { readonly phone: string }

/** What a picture, or the work of a device, asks. */
export interface Challenge {
  readonly provider_code: string
  readonly challenge_id: string
  readonly challenge: { readonly type?: string; readonly image?: string }
}

/** Signs in with a password; throws 4017 where a second factor is wanted, 4004 and 4005 where a captcha is. */
export function signIn(
  scope: SessionScope,
  credentials: ForTenant & { readonly account: string; readonly password: string },
): Promise<SignedIn> {
  const body = { ...credentials, device_name: deviceName(), token_delivery: 'cookie' }
  return call('POST', `${authPath(scope)}/login/json`, { body, open: true })
}

/** Sends a code to sign in with; also where nobody has the address. */
export function sendCode(body: ForTenant & CodeAddress): Promise<SentCodeBody> {
  return call('POST', '/auth/login-code/send', { body, open: true })
}

/** Signs in with a code that was sent. */
export function signInByCode(wish: ForTenant & CodeAddress & { readonly code: string }): Promise<SignedIn> {
  const body = { ...wish, device_name: deviceName(), token_delivery: 'cookie' }
  return call('POST', '/auth/login-code/login', { body, open: true })
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

/** A captcha for a form without a session. */
export function askChallenge(
  body: {
    readonly endpoint: 'admin' | 'user'
    readonly action: CaptchaAction
    readonly tenant_code?: string | undefined
    readonly provider_code?: string | undefined
  },
  signal: AbortSignal,
): Promise<Challenge> {
  return call('POST', '/api/public/captcha/challenge', { body, signal, open: true })
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
