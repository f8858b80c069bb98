import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** One key of the ring, as it seals secrets that are bound to a place. */
interface BoundKey {
  /** Tells the keys of a ring apart; says nothing of the key. */
  readonly id: string
  readonly key: Buffer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Derives the key that binds from a key of the ring: what one of them opens says nothing about the other. */
export function deriveBoundKey(ringKey: Buffer): BoundKey {
  const key = Buffer.from(hkdfSync('sha256', ringKey, '', 'stoa bound secrets v1', 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

/** AES-256-GCM: `v1:<key id>:<nonce>:<content>:<tag>`, base64url. The binding is authenticated and not stored. */
export function sealBoundText({ id, key }: BoundKey, text: string, binding: readonly string[]): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(authenticated(binding))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return ['v1', id, ...[nonce, content, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(':')
}

/** What a token says where this key made it for this binding; undefined otherwise. */
export function openBoundText({ id, key }: BoundKey, token: string, binding: readonly string[]): string | undefined {
  const [version, keyId, ...parts] = token.split(':')
  const [nonce, content, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (version !== 'v1' || keyId !== id || !nonce || !content || tag?.length !== tagBytes) return undefined
  try {
    const decipher = createDecipheriv(algorithm, key, nonce).setAAD(authenticated(binding)).setAuthTag(tag)
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function authenticated(binding: readonly string[]): Buffer {
  return Buffer.from(binding.join('|'))
}
