import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'

/** Characters that are digested in one step. */
const sliceBytes = 65_536
const highSurrogate = /[\ud800-\udbff]$/

/** Bytes as the glue sends them. */
interface Bytes {
  readonly text?: unknown
  readonly hex?: unknown
}

/**
 * The steps of an operation of `ctx.crypto`, which the sandbox host answers itself, without a way to the supervisor: none does
 * more than a slice. The answer is hex.
 */
export function* createDigest(operation: string, json: string): Generator<undefined, string> {
  const argument: unknown = JSON.parse(json)
  if (json.length > sliceBytes) yield
  if (typeof argument !== 'object' || argument === null) throw noBytes()
  if (operation === 'crypto.sha256') return yield* digest(createHash('sha256'), argument)
  if (operation !== 'crypto.hmac') throw new TypeError(`there is no ${operation}`)
  const { key, data } = argument as { readonly key?: Bytes; readonly data?: Bytes }
  const bytes = [...slices(key)].map(([text, encoding]) => Buffer.from(text, encoding))
  return yield* digest(createHmac('sha256', Buffer.concat(bytes)), data)
}

function* digest(state: Hash | Hmac, bytes: Bytes | undefined): Generator<undefined, string> {
  let isFirst = true
  for (const [text, encoding] of slices(bytes)) {
    if (!isFirst) yield
    isFirst = false
    state.update(text, encoding)
  }
  return state.digest('hex')
}

function* slices(bytes: Bytes | undefined): Generator<readonly [text: string, encoding: 'utf8' | 'hex']> {
  const { text, hex } = bytes ?? {}
  const whole = typeof text === 'string' ? text : hex
  if (typeof whole !== 'string') throw noBytes()
  for (let start = 0; start < whole.length;) {
    let slice = whole.slice(start, start + sliceBytes)
    // The halves of a character stay together.
    if (whole === text && highSurrogate.test(slice)) slice = whole.slice(start, start + sliceBytes + 1)
    start += slice.length
    yield [slice, whole === text ? 'utf8' : 'hex']
  }
}

function noBytes(): TypeError {
  return new TypeError('expected a string or a Uint8Array')
}
