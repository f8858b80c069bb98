import { createHash, randomBytes } from 'node:crypto'

/** A secret that works once, as its holder gets it and as it is stored. */
interface OneTimeToken {
  readonly token: string
  readonly hash: string
}

/** A new secret of 32 random bytes; a prefix tells what it is for. */
export function createOneTimeToken(prefix = ''): OneTimeToken {
  const token = prefix + randomBytes(32).toString('base64url')
  return { token, hash: hashOneTimeToken(token) }
}

/** What of a secret is stored; 32 random bytes need no salt and no slow hash. */
export function hashOneTimeToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
