import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** One key of the ring: half signs, half encrypts. */
interface FernetKey {
  readonly signing: Buffer
  readonly encryption: Buffer
}

const version = 0x80
const headerBytes = 1 + 8 + 16
const signatureBytes = 32

/** Makes a fresh key: 32 random bytes, 44 characters of base64url. */
export function generateFernetKey(): string {
  return toText(randomBytes(32))
}

/** Reads a key as the Fernet specification writes it; undefined when it is none. */
export function parseFernetKey(text: string): FernetKey | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 32 || !/^[\w-]{43}=?$/.test(text)) return undefined
  return { signing: bytes.subarray(0, 16), encryption: bytes.subarray(16) }
}

/** Encrypts and signs, with the time in the open as the specification has it. */
export function sealFernet(key: FernetKey, content: Buffer, seconds = Math.floor(Date.now() / 1000)): string {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(version)
  header.writeBigUInt64BE(BigInt(seconds), 1)
  randomBytes(16).copy(header, 9)
  const cipher = createCipheriv('aes-128-cbc', key.encryption, header.subarray(9))
  const signed = Buffer.concat([header, cipher.update(content), cipher.final()])
  return toText(Buffer.concat([signed, sign(key, signed)]))
}

/** What a token says, when this key made it; undefined otherwise. */
export function openFernet(key: FernetKey, token: string): { content: Buffer; seconds: number } | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const isWhole = /^[\w-]+={0,2}$/.test(token) && bytes.length >= headerBytes + 16 + signatureBytes
  if (!isWhole || bytes[0] !== version || (bytes.length - headerBytes - signatureBytes) % 16 !== 0) return undefined
  const signed = bytes.subarray(0, -signatureBytes)
  if (!timingSafeEqual(sign(key, signed), bytes.subarray(-signatureBytes))) return undefined
  try {
    const decipher = createDecipheriv('aes-128-cbc', key.encryption, signed.subarray(9, headerBytes))
    const content = Buffer.concat([decipher.update(signed.subarray(headerBytes)), decipher.final()])
    return { content, seconds: Number(signed.readBigUInt64BE(1)) }
  } catch {
    return undefined
  }
}

function sign(key: FernetKey, signed: Buffer): Buffer {
  return createHmac('sha256', key.signing).update(signed).digest()
}

function toText(bytes: Buffer): string {
  const text = bytes.toString('base64url')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}
