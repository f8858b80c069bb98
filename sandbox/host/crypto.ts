import { createHash, createHmac } from 'node:crypto'

/** Bytes as the glue sends them. */
interface Bytes {
  readonly text?: unknown
  readonly hex?: unknown
}

function toBuffer(bytes: Bytes | undefined): Buffer {
  if (typeof bytes?.text === 'string') return Buffer.from(bytes.text)
  if (typeof bytes?.hex === 'string') return Buffer.from(bytes.hex, 'hex')
  throw new TypeError('expected a string or a Uint8Array')
}

/** The operations of `ctx.crypto` that the sandbox host answers itself, without a way to the supervisor; the answer is hex. */
export function computeDigest(operation: string, argument: unknown): string {
  if (typeof argument !== 'object' || argument === null) throw new TypeError('expected a string or a Uint8Array')
  if (operation === 'crypto.sha256') return createHash('sha256').update(toBuffer(argument)).digest('hex')
  if (operation === 'crypto.hmac') {
    const { key, data } = argument as { readonly key?: Bytes; readonly data?: Bytes }
    return createHmac('sha256', toBuffer(key)).update(toBuffer(data)).digest('hex')
  }
  throw new TypeError(`there is no ${operation}`)
}
