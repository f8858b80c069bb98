import { fromBase64, toBase64 } from './base64.js'
import { bytesOf, expose } from './bytes.js'
import { DOMException } from './dom-exception.js'

const hashes = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' }
const blockBytes = { 'SHA-1': 64, 'SHA-256': 64, 'SHA-384': 128, 'SHA-512': 128 }
/** What stands before the 32 bytes of an Ed25519 key in its usual containers. */
const wrappers = { spki: '302a300506032b6570032100', pkcs8: '302e020100300506032b657004220420' }
const mostRandom = 65_536

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
const toUrl = (bytes) => toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
const fail = (message, name) => {
  throw new DOMException(message, name)
}
const fromUrl = (text) =>
  fromBase64(`${text}`.replace(/-/g, '+').replace(/_/g, '/')) ?? fail('The key is not base64url', 'DataError')

function nameOf(algorithm, names) {
  const wanted = `${typeof algorithm === 'string' ? algorithm : algorithm?.name}`.toLowerCase()
  return (
    names.find((name) => name.toLowerCase() === wanted) ??
    fail(`There is no ${wanted} in the sandbox`, 'NotSupportedError')
  )
}
const hashOf = (algorithm) => nameOf(algorithm, Object.keys(hashes))
const signed = ['HMAC', 'Ed25519']

let bytesIn

/** The CryptoKey of the web. */
export class CryptoKey {
  #bytes
  constructor(key, bytes, facts) {
    if (key !== creating) throw new TypeError('A CryptoKey comes from crypto.subtle')
    this.#bytes = bytes
    for (const [name, value] of Object.entries(facts)) Object.defineProperty(this, name, { value, enumerable: true })
  }
  static {
    bytesIn = (key) => key.#bytes
  }
}
const creating = Symbol('creating')
expose(CryptoKey)

function checkUsages(usages, allowed, mayBeEmpty) {
  const all = [...usages].map(String)
  if (all.some((usage) => !allowed.includes(usage))) fail('The key cannot be used so', 'SyntaxError')
  if (all.length === 0 && !mayBeEmpty) fail('The key is for nothing', 'SyntaxError')
  return [...new Set(all)]
}

const make = (type, algorithm, bytes, extractable, usages) =>
  new CryptoKey(creating, bytes, { type, extractable: type === 'public' || Boolean(extractable), algorithm, usages })

function importHmac(format, data, algorithm, extractable, usages) {
  if (format !== 'raw' && format !== 'jwk') fail(`HMAC keys have no ${format}`, 'NotSupportedError')
  if (format === 'jwk' && data?.kty !== 'oct') fail('The key is none of HMAC', 'DataError')
  const bytes = format === 'raw' ? bytesOf(data, 'The key').slice() : fromUrl(data.k)
  if (bytes.length === 0) fail('The key is empty', 'DataError')
  const facts = { name: 'HMAC', hash: { name: hashOf(algorithm.hash) }, length: bytes.length * 8 }
  return make('secret', facts, bytes, extractable, checkUsages(usages, ['sign', 'verify']))
}

function importEd25519(format, data, extractable, usages) {
  const isPrivate = format === 'pkcs8' || (format === 'jwk' && data?.d !== undefined)
  let bytes
  if (format === 'raw') bytes = bytesOf(data, 'The key').slice()
  else if (format === 'jwk') {
    if (data?.kty !== 'OKP' || data.crv !== 'Ed25519') fail('The key is none of Ed25519', 'DataError')
    bytes = fromUrl(isPrivate ? data.d : data.x)
  } else if (Object.hasOwn(wrappers, format)) {
    const text = toHex(bytesOf(data, 'The key'))
    bytes = text.startsWith(wrappers[format]) ? fromHex(text.slice(wrappers[format].length)) : new Uint8Array(0)
  } else fail(`There is no format ${format}`, 'NotSupportedError')
  if (bytes.length !== 32) fail('The key is none of Ed25519', 'DataError')
  const checked = checkUsages(usages, [isPrivate ? 'sign' : 'verify'], !isPrivate)
  return make(isPrivate ? 'private' : 'public', { name: 'Ed25519' }, bytes, extractable, checked)
}

/** Whether a private key names the public one that is its own; without it nobody says whose it is. */
function isOfItsPublicKey({ x } = {}, own) {
  return typeof x === 'string' && toHex(fromUrl(x)) === toHex(own)
}

/** The SubtleCrypto of the web, for digests and signatures; `send` is what the call asks its host with. */
function createSubtle(send, random) {
  const need = (key, usage, algorithm) => {
    if (!(key instanceof CryptoKey) || key.algorithm.name !== nameOf(algorithm, signed))
      fail('The key is of another kind', 'InvalidAccessError')
    if (!key.usages.includes(usage)) fail(`The key may not ${usage}`, 'InvalidAccessError')
    return { hex: toHex(bytesIn(key)) }
  }
  const hmac = (key, data, bytes) =>
    send('crypto.hmac', { key, data: { hex: toHex(bytes) }, hash: hashes[data.hash.name] })
  const publicOf = async (bytes) => fromHex(await send('crypto.public', { hex: toHex(bytes) }))
  return {
    async digest(algorithm, data) {
      const argument = { hash: hashes[hashOf(algorithm)], hex: toHex(bytesOf(data)) }
      return fromHex(await send('crypto.digest', argument)).buffer
    },
    async sign(algorithm, key, data) {
      const bytes = bytesOf(data).slice()
      const own = need(key, 'sign', algorithm)
      if (key.type === 'secret') return fromHex(await hmac(own, key.algorithm, bytes)).buffer
      return fromHex(await send('crypto.sign', { key: own, data: { hex: toHex(bytes) } })).buffer
    },
    async verify(algorithm, key, signature, data) {
      const given = toHex(bytesOf(signature, 'The signature'))
      const bytes = bytesOf(data).slice()
      const own = need(key, 'verify', algorithm)
      if (key.type !== 'secret')
        return send('crypto.verify', { key: own, data: { hex: toHex(bytes) }, signature: { hex: given } })
      const expected = await hmac(own, key.algorithm, bytes)
      let difference = given.length ^ expected.length
      for (let index = 0; index < expected.length; index++)
        difference |= expected.charCodeAt(index) ^ (given.charCodeAt(index) || 0)
      return difference === 0
    },
    async importKey(format, data, algorithm, extractable, usages) {
      if (nameOf(algorithm, signed) === 'HMAC') return importHmac(format, data, algorithm, extractable, usages)
      const key = importEd25519(format, data, extractable, usages)
      if (format === 'jwk' && key.type === 'private' && !isOfItsPublicKey(data, await publicOf(bytesIn(key))))
        fail('The private key is not the one of the public key that it names', 'DataError')
      return key
    },
    async exportKey(format, key) {
      if (!(key instanceof CryptoKey) || !key.extractable) fail('The key may not be taken out', 'InvalidAccessError')
      const bytes = bytesIn(key)
      const jwk = { key_ops: [...key.usages], ext: true }
      if (key.type === 'secret' && format === 'jwk')
        return { kty: 'oct', k: toUrl(bytes), alg: key.algorithm.hash.name.replace('SHA-', 'HS'), ...jwk }
      if (format === 'jwk') {
        const shown =
          key.type === 'private' ? { x: toUrl(await publicOf(bytes)), d: toUrl(bytes) } : { x: toUrl(bytes) }
        return { kty: 'OKP', crv: 'Ed25519', ...shown, ...jwk }
      }
      const formats = { secret: ['raw'], public: ['raw', 'spki'], private: ['pkcs8'] }
      if (!formats[key.type].includes(format)) fail(`The key has no ${format}`, 'NotSupportedError')
      return format === 'raw' ? bytes.slice().buffer : fromHex(wrappers[format] + toHex(bytes)).buffer
    },
    async generateKey(algorithm, extractable, usages) {
      if (nameOf(algorithm, signed) === 'HMAC') {
        const length =
          algorithm.length === undefined ? blockBytes[hashOf(algorithm.hash)] : Math.ceil(algorithm.length / 8)
        return importHmac('raw', random(length), algorithm, extractable, usages)
      }
      const all = checkUsages(usages, ['sign', 'verify'])
      const seed = random(32)
      const facts = { name: 'Ed25519' }
      const only = (usage) => all.filter((one) => one === usage)
      return {
        publicKey: make('public', facts, await publicOf(seed), true, only('verify')),
        privateKey: make('private', facts, seed, extractable, only('sign')),
      }
    },
  }
}

/** The crypto of the web. */
export function createWebCrypto(send, random, randomUUID) {
  return {
    subtle: createSubtle(send, random),
    randomUUID,
    getRandomValues(view) {
      const isWhole = ArrayBuffer.isView(view) && !/^(?:DataView|Float)/.test(view[Symbol.toStringTag] ?? 'DataView')
      if (!isWhole) fail('getRandomValues takes an array of whole numbers', 'TypeMismatchError')
      if (view.byteLength > mostRandom) fail(`At most ${mostRandom} bytes at once`, 'QuotaExceededError')
      bytesOf(view).set(random(view.byteLength))
      return view
    },
  }
}
