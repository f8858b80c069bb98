import type { Tenant } from '#kernel'
import type { IssuedTokens } from '../contract.ts'

/** What no cache may keep. */
export const secretHeaders: Readonly<Record<string, string>> = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** A pair of tokens as the wire shows it. */
export function presentTokens(tokens: IssuedTokens, tenant: Tenant | null) {
  return {
    access_token: tokens.accessToken,
    token_type: 'Bearer',
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    refresh_expires_in: tokens.refreshExpiresIn,
    session_id: tokens.sessionId,
    roles: tokens.roles,
    tenant: tenant && { id: tenant.id, code: tenant.code, name: tenant.name },
    password_change_required: tokens.restriction === 'password_change_required',
  }
}

/** The same as RFC 6749 wants it. */
export function presentOauthTokens(tokens: IssuedTokens, scope: 'platform' | 'tenant') {
  return {
    access_token: tokens.accessToken,
    token_type: 'Bearer',
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    scope,
    session_id: tokens.sessionId,
    refresh_expires_in: tokens.refreshExpiresIn,
  }
}
