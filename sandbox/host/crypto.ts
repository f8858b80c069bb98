import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type Hash,
  type Hmac,
} from 'node:crypto'

/** Characters that are digested in one step. */
const sliceBytes = 65_536
const highSurrogate = /[\ud800-\udbff]$/
const hashes: readonly unknown[] = ['sha1', 'sha256', 'sha384', 'sha512']
const encodings: readonly unknown[] = ['hex', 'base64', 'base64url']
/** What stands before the 32 bytes of an Ed25519 key. */
const wrappers = { spki: '302a300506032b6570032100', pkcs8: '302e020100300506032b657004220420' }
const ed25519Bytes = 32

/** Bytes as the glue sends them. */
interface Bytes {
  readonly text?: unknown
  readonly hex?: unknown
}

/** What an operation gets, of which nothing is known but that it is an object. */
interface Wanted extends Bytes {
  readonly hash?: unknown
  readonly encoding?: unknown
  readonly key?: Bytes
  readonly data?: Bytes
  readonly signature?: Bytes
}

type Steps = Generator<undefined, string | boolean>

/** Each in steps, none of which does more than a slice; but for signatures, which are made in one. */
const operations: Readonly<Record<string, (wanted: Wanted) => Steps>> = {
  *'crypto.digest'(wanted) {
    return yield* digest(createHash(hashOf(wanted)), wanted, wanted)
  },
  *'crypto.hmac'(wanted) {
    return yield* digest(createHmac(hashOf(wanted), whole(wanted.key)), wanted.data, wanted)
  },
  *'crypto.sign'({ key, data }) {
    const bytes = whole(data)
    yield
    return sign(null, bytes, privateKey(key)).toString('hex')
  },
  *'crypto.verify'({ key, data, signature }) {
    const bytes = whole(data)
    yield
    const publicKey = createPublicKey({ key: wrapped('spki', key), format: 'der', type: 'spki' })
    return verify(null, bytes, publicKey, whole(signature))
  },
  *'crypto.public'(wanted) {
    yield
    const der = createPublicKey(privateKey(wanted)).export({ format: 'der', type: 'spki' })
    return der.subarray(-ed25519Bytes).toString('hex')
  },
}

/**
 * The steps of an operation of `ctx.crypto` or of the guest's `crypto`, which the sandbox host answers itself, without a way to the
 * supervisor.
 */
export function* createDigest(operation: string, json: string): Steps {
  const wanted: unknown = JSON.parse(json)
  if (json.length > sliceBytes) yield
  if (typeof wanted !== 'object' || wanted === null) throw noBytes()
  const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (!run) throw new TypeError(`there is no ${operation}`)
  return yield* run(wanted)
}

function hashOf({ hash = 'sha256' }: Wanted): string {
  if (hashes.includes(hash)) return hash as string
  throw new TypeError('the hash is one of sha1, sha256, sha384, sha512')
}

function* digest(
  state: Hash | Hmac,
  bytes: Bytes | undefined,
  { encoding = 'hex' }: Wanted,
): Generator<undefined, string> {
  if (!encodings.includes(encoding)) throw new TypeError('the encoding is one of hex, base64, base64url')
  let isFirst = true
  for (const [text, form] of slices(bytes)) {
    if (!isFirst) yield
    isFirst = false
    state.update(text, form)
  }
  return state.digest(encoding as 'hex')
}

function whole(bytes: Bytes | undefined): Buffer {
  return Buffer.concat([...slices(bytes)].map(([text, form]) => Buffer.from(text, form)))
}

function wrapped(type: keyof typeof wrappers, key: Bytes | undefined): Buffer {
  const bytes = whole(key)
  if (bytes.length !== ed25519Bytes) throw new TypeError(`an Ed25519 key has ${ed25519Bytes} bytes`)
  return Buffer.concat([Buffer.from(wrappers[type], 'hex'), bytes])
}

function privateKey(key: Bytes | undefined): ReturnType<typeof createPrivateKey> {
  return createPrivateKey({ key: wrapped('pkcs8', key), format: 'der', type: 'pkcs8' })
}

function* slices(bytes: Bytes | undefined): Generator<readonly [text: string, form: 'utf8' | 'hex']> {
  const { text, hex } = bytes ?? {}
  const all = typeof text === 'string' ? text : hex
  if (typeof all !== 'string') throw noBytes()
  for (let start = 0; start < all.length;) {
    let slice = all.slice(start, start + sliceBytes)
    // The halves of a character stay together.
    if (all === text && highSurrogate.test(slice)) slice = all.slice(start, start + sliceBytes + 1)
    start += slice.length
    yield [slice, all === text ? 'utf8' : 'hex']
  }
}

function noBytes(): TypeError {
  return new TypeError('expected a string or a Uint8Array')
}
