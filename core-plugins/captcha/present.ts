import type { IssuedChallenge } from './challenges.ts'

/** A challenge as the wire shows it. */
export function presentChallenge({ id, provider, challenge, expiresAt, seconds }: IssuedChallenge) {
  return {
    challenge_id: id,
    challenge,
    provider_code: provider.code,
    ...(provider.plugin !== null && { public_endpoint: `/api/public/plugins/${provider.plugin}/api/` }),
    expires_at: expiresAt.toISOString(),
    expires_in: seconds,
  }
}
