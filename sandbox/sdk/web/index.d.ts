/**
 * What a plugin has of the web beside the language: made for the sandbox, without streams, blobs and forms. What asks for something (`fetch`,
 * `crypto.subtle`, timers) does it in the name of the call whose turn it is, and counts as a call of its `ctx`.
 */

type BufferSource = ArrayBuffer | ArrayBufferView<ArrayBuffer>

interface DOMException extends Error {
  readonly code: number
}
declare var DOMException: {
  new (message?: string, options?: string | { name?: string; cause?: unknown }): DOMException
}

interface URL {
  href: string
  readonly origin: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  readonly searchParams: URLSearchParams
  hash: string
  toString(): string
  toJSON(): string
}
declare var URL: {
  new (url: string | URL, base?: string | URL): URL
  canParse(url: string | URL, base?: string | URL): boolean
  parse(url: string | URL, base?: string | URL): URL | null
}

interface URLSearchParams extends Iterable<[string, string]> {
  readonly size: number
  append(name: string, value: string): void
  delete(name: string, value?: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string, value?: string): boolean
  set(name: string, value: string): void
  sort(): void
  forEach(callback: (value: string, name: string, all: URLSearchParams) => void): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  toString(): string
}
declare var URLSearchParams: {
  new (init?: string | Iterable<readonly [string, string]> | Readonly<Record<string, string>>): URLSearchParams
}

interface TextEncoder {
  readonly encoding: 'utf-8'
  encode(text?: string): Uint8Array<ArrayBuffer>
  encodeInto(source: string, target: Uint8Array): { read: number; written: number }
}
declare var TextEncoder: { new (): TextEncoder }

interface TextDecoder {
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  decode(input?: BufferSource, options?: { stream?: boolean }): string
}
/** UTF-8, UTF-16 and Windows-1252 (`latin1`); others throw a RangeError. */
declare var TextDecoder: { new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder }

declare function atob(data: string): string
declare function btoa(data: string): string
declare function structuredClone<T>(value: T, options?: { transfer?: ArrayBuffer[] }): T
declare function queueMicrotask(callback: () => void): void

/** Runs later, if the call still lasts. Each timer is one of the 200 calls to the host, each turn of an interval another. */
declare function setTimeout<A extends unknown[]>(
  callback: (...args: A) => void,
  milliseconds?: number,
  ...args: A
): number
declare function setInterval<A extends unknown[]>(
  callback: (...args: A) => void,
  milliseconds?: number,
  ...args: A
): number
declare function clearTimeout(id: number | undefined): void
declare function clearInterval(id: number | undefined): void

/** Lines in the plugin's log, as with `ctx.log`. */
declare var console: Readonly<
  Record<
    | 'assert'
    | 'clear'
    | 'count'
    | 'countReset'
    | 'debug'
    | 'dir'
    | 'error'
    | 'group'
    | 'groupCollapsed'
    | 'groupEnd'
    | 'info'
    | 'log'
    | 'table'
    | 'time'
    | 'timeEnd'
    | 'timeLog'
    | 'trace'
    | 'warn',
    (...values: unknown[]) => void
  >
>
declare var performance: { now(): number; readonly timeOrigin: number }
declare var self: typeof globalThis

interface Event {
  readonly type: string
  readonly target: EventTarget | null
  readonly cancelable: boolean
  readonly defaultPrevented: boolean
  preventDefault(): void
  stopImmediatePropagation(): void
}
declare var Event: { new (type: string, options?: { cancelable?: boolean; bubbles?: boolean }): Event }
type EventCallback = ((event: Event) => void) | { handleEvent(event: Event): void } | null
interface EventTarget {
  addEventListener(
    type: string,
    callback: EventCallback,
    options?: boolean | { once?: boolean; signal?: AbortSignal },
  ): void
  removeEventListener(type: string, callback: EventCallback): void
  dispatchEvent(event: Event): boolean
}
declare var EventTarget: { new (): EventTarget }

interface AbortSignal extends EventTarget {
  readonly aborted: boolean
  readonly reason: unknown
  onabort: ((event: Event) => void) | null
  throwIfAborted(): void
}
declare var AbortSignal: {
  abort(reason?: unknown): AbortSignal
  any(signals: Iterable<AbortSignal>): AbortSignal
  timeout(milliseconds: number): AbortSignal
}
interface AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare var AbortController: { new (): AbortController }

type HeadersInit = Headers | Iterable<readonly [string, string]> | Readonly<Record<string, string>>
interface Headers extends Iterable<[string, string]> {
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getSetCookie(): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  forEach(callback: (value: string, name: string, all: Headers) => void): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
}
declare var Headers: { new (init?: HeadersInit): Headers }

type BodyInit = string | BufferSource | URLSearchParams
interface Body {
  readonly bodyUsed: boolean
  arrayBuffer(): Promise<ArrayBuffer>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  /** As in browsers: what it is has nobody checked, so it may be passed on as it comes, or be said to be something. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json(): Promise<any>
  text(): Promise<string>
}
interface RequestInit {
  readonly method?: string
  readonly headers?: HeadersInit
  readonly body?: BodyInit | null
  readonly signal?: AbortSignal | null
  /** Redirects are never followed: the answer is the redirect itself, or with `error` a TypeError. */
  readonly redirect?: 'follow' | 'error' | 'manual'
}
interface Request extends Body {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
  clone(): Request
}
declare var Request: { new (input: string | URL | Request, init?: RequestInit): Request }
interface ResponseInit {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: HeadersInit
}
interface Response extends Body {
  readonly status: number
  readonly statusText: string
  readonly ok: boolean
  readonly url: string
  readonly redirected: boolean
  readonly type: string
  readonly headers: Headers
  clone(): Response
}
declare var Response: {
  new (body?: BodyInit | null, init?: ResponseInit): Response
  json(data: unknown, init?: ResponseInit): Response
  error(): Response
  redirect(url: string | URL, status?: number): Response
}
/** By `ctx.http.fetch`: needs the capability `http`, to the hosts of the manifest. What is refused rejects with a PluginError. */
declare function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>

type KeyUsage = 'sign' | 'verify'
interface CryptoKey {
  readonly type: 'secret' | 'private' | 'public'
  readonly extractable: boolean
  readonly algorithm: { readonly name: string; readonly hash?: { readonly name: string }; readonly length?: number }
  readonly usages: readonly KeyUsage[]
}
interface JsonWebKey {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly d?: string
  readonly k?: string
  readonly alg?: string
  readonly ext?: boolean
  readonly key_ops?: readonly string[]
}
type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'
type SigningAlgorithm = 'HMAC' | 'Ed25519' | { readonly name: 'HMAC' | 'Ed25519' }
type HmacAlgorithm = {
  readonly name: 'HMAC'
  readonly hash: HashName | { readonly name: HashName }
  readonly length?: number
}
type Ed25519Algorithm = 'Ed25519' | { readonly name: 'Ed25519' }

/** Digests and signatures, HMAC and Ed25519. Each is a call to the host, and its time CPU time of the call. */
interface SubtleCrypto {
  digest(algorithm: HashName | { readonly name: HashName }, data: BufferSource): Promise<ArrayBuffer>
  sign(algorithm: SigningAlgorithm, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>
  verify(algorithm: SigningAlgorithm, key: CryptoKey, signature: BufferSource, data: BufferSource): Promise<boolean>
  importKey(
    format: 'raw' | 'spki' | 'pkcs8' | 'jwk',
    key: BufferSource | JsonWebKey,
    algorithm: HmacAlgorithm | Ed25519Algorithm,
    extractable: boolean,
    usages: readonly KeyUsage[],
  ): Promise<CryptoKey>
  exportKey(format: 'jwk', key: CryptoKey): Promise<JsonWebKey>
  exportKey(format: 'raw' | 'spki' | 'pkcs8', key: CryptoKey): Promise<ArrayBuffer>
  generateKey(algorithm: HmacAlgorithm, extractable: boolean, usages: readonly KeyUsage[]): Promise<CryptoKey>
  generateKey(
    algorithm: Ed25519Algorithm,
    extractable: boolean,
    usages: readonly KeyUsage[],
  ): Promise<{ publicKey: CryptoKey; privateKey: CryptoKey }>
}
declare var crypto: {
  readonly subtle: SubtleCrypto
  getRandomValues<T extends ArrayBufferView>(array: T): T
  randomUUID(): string
}
