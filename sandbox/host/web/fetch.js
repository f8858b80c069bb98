import { fromBase64, toBase64 } from './base64.js'
import { bytesOf, expose, isBuffer, wellFormed } from './bytes.js'
import { frozenHeaders, Headers } from './headers.js'
import { URL } from './url.js'
import { URLSearchParams } from './url-search-params.js'
import { decodeUtf8, encodeUtf8 } from './utf-8.js'

const usualMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']
const bodiless = [101, 103, 204, 205, 304]
const redirects = [301, 302, 303, 307, 308]

/** A body as bytes, with the type that it has by itself. */
function readBody(body) {
  if (body === null || body === undefined) return { bytes: null }
  if (body instanceof URLSearchParams)
    return { bytes: encodeUtf8(body.toString()), type: 'application/x-www-form-urlencoded;charset=UTF-8' }
  if (isBuffer(body) || ArrayBuffer.isView(body)) return { bytes: bytesOf(body).slice() }
  return { bytes: encodeUtf8(wellFormed(body)), type: 'text/plain;charset=UTF-8' }
}

/** What requests and answers have in common: bytes that are read once. */
class Body {
  #bytes
  #isUsed = false
  constructor(bytes) {
    this.#bytes = bytes
  }
  get bodyUsed() {
    return this.#isUsed
  }
  #take() {
    if (this.#isUsed) throw new TypeError('The body was read before')
    this.#isUsed = this.#bytes !== null
    return this.#bytes ?? new Uint8Array(0)
  }
  static peek(of) {
    if (of.#isUsed) throw new TypeError('The body was read before')
    return of.#bytes
  }
  async arrayBuffer() {
    return this.#take().slice().buffer
  }
  async bytes() {
    return this.#take().slice()
  }
  async text() {
    return decodeUtf8(this.#take())
  }
  async json() {
    return JSON.parse(decodeUtf8(this.#take()))
  }
}
const { peek } = Body
delete Body.peek
expose(Body)

/** The Request of the web; its body is there at once, and no stream. */
export class Request extends Body {
  #url
  #method
  #headers
  #signal
  #redirect
  constructor(input, init = {}) {
    const from = input instanceof Request ? input : undefined
    const url = from ? undefined : new URL(`${input}`)
    if (url && (url.username !== '' || url.password !== '')) throw new TypeError('The URL carries a user name')
    const method = methodOf(init?.method ?? from?.method ?? 'GET')
    const own = init?.body === undefined ? undefined : readBody(init.body)
    const bytes = own ? own.bytes : from ? peek(from) : null
    if (bytes !== null && (method === 'GET' || method === 'HEAD'))
      throw new TypeError(`A ${method} request has no body`)
    super(bytes)
    this.#url = url ? url.href : from.url
    this.#method = method
    this.#headers = new Headers(init?.headers ?? from?.headers)
    if (own?.type && !this.#headers.has('content-type')) this.#headers.set('content-type', own.type)
    this.#signal = init?.signal === undefined ? from?.signal : (init.signal ?? undefined)
    this.#redirect = init?.redirect ?? from?.redirect ?? 'follow'
    if (!['follow', 'error', 'manual'].includes(this.#redirect))
      throw new TypeError('redirect is follow, error or manual')
  }
  get url() {
    return this.#url
  }
  get method() {
    return this.#method
  }
  get headers() {
    return this.#headers
  }
  get signal() {
    return this.#signal
  }
  get redirect() {
    return this.#redirect
  }
  clone() {
    peek(this)
    return new Request(this)
  }
}
expose(Request)

function methodOf(value) {
  const text = `${value}`
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text) || /^(?:connect|trace|track)$/i.test(text))
    throw new TypeError(`${text} is no method that can be sent`)
  return usualMethods.includes(text.toUpperCase()) ? text.toUpperCase() : text
}

/** The Response of the web; its body is there at once, and no stream. */
export class Response extends Body {
  #status
  #statusText
  #headers
  #url = ''
  #type = 'default'
  constructor(body = null, init = {}) {
    const status = init?.status === undefined ? 200 : Math.trunc(Number(init.status))
    if (!(status >= 200 && status <= 599)) throw new RangeError('A status is a number from 200 to 599')
    const { bytes, type } = readBody(body)
    if (bytes !== null && bodiless.includes(status)) throw new TypeError(`An answer with ${status} has no body`)
    super(bytes)
    this.#status = status
    this.#statusText = `${init?.statusText ?? ''}`
    this.#headers = new Headers(init?.headers)
    if (type && !this.#headers.has('content-type')) this.#headers.set('content-type', type)
  }
  get status() {
    return this.#status
  }
  get ok() {
    return this.#status >= 200 && this.#status < 300
  }
  get statusText() {
    return this.#statusText
  }
  get headers() {
    return this.#headers
  }
  get url() {
    return this.#url
  }
  get redirected() {
    return false
  }
  get type() {
    return this.#type
  }
  clone() {
    return this.#copy(peek(this))
  }
  #copy(bytes) {
    const copy = new Response(bytes, { statusText: this.#statusText })
    copy.#status = this.#status
    copy.#headers = new Headers(this.#headers)
    copy.#url = this.#url
    copy.#type = this.#type
    return copy
  }
  static json(data, init = {}) {
    const text = JSON.stringify(data)
    if (text === undefined) throw new TypeError('The value has no JSON form')
    const headers = new Headers(init?.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new Response(text, { ...init, headers })
  }
  static error() {
    const response = new Response()
    response.#status = 0
    response.#type = 'error'
    frozenHeaders(response.#headers)
    return response
  }
  static redirect(url, status = 302) {
    if (!redirects.includes(status)) throw new RangeError('The status is none of a redirect')
    const response = new Response(null, { status, headers: { location: new URL(`${url}`).href } })
    frozenHeaders(response.#headers)
    return response
  }
  /** What came for a request. */
  static received(url, { status, headers, body }) {
    const isOdd = status < 200 || status > 599
    const response = new Response(bodiless.includes(status) ? null : fromBase64(body.base64), {
      status: isOdd ? 200 : status,
      headers,
    })
    response.#status = status
    response.#url = url
    response.#type = 'basic'
    frozenHeaders(response.#headers)
    return response
  }
}
const { received } = Response
delete Response.received
expose(Response)

/** The fetch of the web, over the hosts that were granted; `send` is what the call asks the platform with. */
export function createFetch(send) {
  return async function fetch(input, init) {
    const request = new Request(input, init)
    const { signal } = request
    signal?.throwIfAborted()
    const headers = {}
    for (const [name, value] of request.headers)
      Object.defineProperty(headers, name, { value, enumerable: true, writable: true, configurable: true })
    const bytes = peek(request)
    const body = bytes === null ? undefined : { base64: toBase64(bytes) }
    const wanted = { url: request.url.replace(/#.*$/s, ''), method: request.method, headers, body, as: 'base64' }
    const answer = await orAborted(send('http.fetch', wanted), signal)
    const response = received(wanted.url, answer)
    if (request.redirect === 'error' && redirects.includes(answer.status))
      throw new TypeError('The answer leads elsewhere')
    return response
  }
}

function orAborted(promise, signal) {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}
