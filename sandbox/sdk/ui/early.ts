// Stands before every page of a plugin where its author works on it: what goes wrong before the page has reached the console, as a
// script that cannot be read, is told to the console in the words that any page has.
import { earlyFaults, type EarlyFaults } from './early-faults.ts'
import { watchFaults, type PageFault } from './page-faults.ts'
import type { Hello, RpcMessage } from './protocol.ts'

const version = '1.0.0'
const mostKept = 20
/** What a script imports is told of a moment after the script. */
const noticeMilliseconds = 100

const kept: PageFault[] = []
let isLoaded = false
/** Somebody said hello: this, or the page itself. A second hello would end what the first began. */
let isSpoken = false
let isAsking = false
let port: MessagePort | undefined
/** Whether the console has answered on the port. */
let isBegun = false

const stopWatching = watchFaults(keep)
addEventListener('error', keepUnloaded, { capture: true })
addEventListener('message', hearPort)
addEventListener('load', () => {
  isLoaded = true
  speak()
})

const early: EarlyFaults = {
  speaks() {
    isSpoken = true
  },
  take() {
    stopWatching()
    removeEventListener('error', keepUnloaded, { capture: true })
    return kept.splice(0)
  },
}
Object.defineProperty(globalThis, earlyFaults, { value: early })

function keep(fault: PageFault): void {
  if (kept.length < mostKept) kept.push(fault)
  speak()
}

/** A script or style that is not there, or a script that imports one: nothing else tells of it. */
function keepUnloaded({ target }: Event): void {
  if (target instanceof HTMLScriptElement)
    setTimeout(() => keep(unloaded(target.src || location.href, missingScripts())), noticeMilliseconds)
  if (target instanceof HTMLLinkElement) keep(unloaded(target.href, []))
}

function unloaded(address: string, missing: readonly string[]): PageFault {
  const why = missing.length > 0 ? `: there is no ${missing.map(below).join(', ')}` : ''
  return {
    message: `${below(address)} does not load${why}`,
    stack: `    at ${why === '' ? location.href : address}`,
    missing: { by: why === '' ? location.href : address, files: why === '' ? [address] : missing },
  }
}

/** Scripts that others import and did not get; those that the page names tell of themselves. */
function missingScripts(): readonly string[] {
  const named = new Set([...document.scripts].map(({ src }) => src))
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return entries
    .filter(({ name, responseStatus: status }) => /\.m?js$/.test(name) && (status < 200 || status > 299))
    .flatMap(({ name }) => (named.has(name) ? [] : [name]))
}

/** As the author wrote it: by the folder of the page. */
function below(address: string): string {
  const folder = new URL('.', location.href).href
  return address.startsWith(folder) ? address.slice(folder.length) : address
}

/** When its scripts have run, a page that has not said hello is one that cannot. */
function speak(): void {
  if (port) return tell()
  if (!isLoaded || isSpoken || kept.length === 0) return
  isSpoken = true
  isAsking = true
  const hello: Hello = { stoa: 'hello', protocols: [1], sdk: version, path: location.pathname }
  parent.postMessage(hello, '*')
}

/** Takes the port that it asked for; one that it did not ask for is the page's. */
function hearPort(event: MessageEvent<{ readonly stoa?: unknown } | null>): void {
  const { source, data, ports } = event
  if (source !== parent || data?.stoa !== 'port') return
  isSpoken = true
  if (!isAsking) return
  isAsking = false
  event.stopImmediatePropagation()
  port = ports[0]
  port?.addEventListener('message', ({ data: { id } }: MessageEvent<RpcMessage>) => id === 1 && begin(), { once: true })
  port?.start()
  send({ id: 1, method: 'initialize', params: { protocol: 1, sdk: version } })
}

function begin(): void {
  isBegun = true
  tell()
}

function tell(): void {
  if (!isBegun) return
  for (const fault of kept.splice(0)) send({ method: 'log', params: { level: 'error', ...fault } })
}

function send(message: Omit<RpcMessage, 'jsonrpc'>): void {
  port?.postMessage({ jsonrpc: '2.0', ...message } satisfies RpcMessage)
}
