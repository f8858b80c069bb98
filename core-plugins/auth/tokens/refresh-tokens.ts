import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const prefix = 'rt_'
const [sessionBytes, generationBytes, nonceBytes, macBytes] = [16, 4, 16, 16]
const signedBytes = sessionBytes + generationBytes + nonceBytes

/** What a refresh token stands for. */
export interface RefreshToken {
  readonly sessionId: string
  readonly generation: number
  /** What the database keeps of the secret part. */
  readonly nonceHash: string
}

/** A new refresh token with its text. */
export interface NewRefreshToken extends RefreshToken {
  readonly text: string
}

/** Makes and reads refresh tokens; only what was once made here has the right MAC. */
export class RefreshTokens {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  create(sessionId: string, generation: number): NewRefreshToken {
    const signed = Buffer.alloc(signedBytes)
    signed.write(sessionId.replaceAll('-', ''), 'hex')
    signed.writeUInt32BE(generation, sessionBytes)
    randomBytes(nonceBytes).copy(signed, sessionBytes + generationBytes)
    const text = prefix + Buffer.concat([signed, this.#mac(signed)]).toString('base64url')
    return { sessionId, generation, nonceHash: nonceHash(signed), text }
  }

  /** The token behind a text, or undefined for one that was never given out. */
  read(text: string): RefreshToken | undefined {
    if (!text.startsWith(prefix)) return undefined
    const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
    if (bytes.length !== signedBytes + macBytes) return undefined
    const signed = bytes.subarray(0, signedBytes)
    if (!timingSafeEqual(bytes.subarray(signedBytes), this.#mac(signed))) return undefined
    const sessionId = signed
      .toString('hex', 0, sessionBytes)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    return { sessionId, generation: signed.readUInt32BE(sessionBytes), nonceHash: nonceHash(signed) }
  }

  #mac(signed: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest().subarray(0, macBytes)
  }
}

function nonceHash(signed: Buffer): string {
  const nonce = signed.subarray(sessionBytes + generationBytes)
  return createHash('sha256').update(nonce).digest('base64url')
}
