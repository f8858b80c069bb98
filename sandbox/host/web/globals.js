/* global require -- the builder puts these modules into functions, so that a context costs no more than what its plugin uses */
import { defineProperty } from '../guest-intrinsics.js'

/**
 * Gives a context what modules expect of the web, each part when it is first asked for. All of it is code of the guest's own kind, with
 * nothing of the host in it: what needs the host asks by `send`, in the name of the call whose turn it is, with the same checks and costs as
 * what its `ctx` asks. A plugin that has changed built-ins by then has changed them for itself.
 */
export function addWebGlobals({ send, wait, write, random, randomUUID }) {
  const begun = Date.now()
  const { now } = Date
  let abortParts
  let timerParts
  const timers = () => (timerParts ??= require('./timers.js').createTimers(wait))
  const abort = () => {
    if (abortParts) return abortParts
    abortParts = require('./abort.js')
    abortParts.addTimeout(timers().setTimeout)
    return abortParts
  }
  const parts = {
    __proto__: null,
    AbortController: () => abort().AbortController,
    AbortSignal: () => abort().AbortSignal,
    CryptoKey: () => require('./web-crypto.js').CryptoKey,
    DOMException: () => require('./dom-exception.js').DOMException,
    Event: () => require('./events.js').Event,
    EventTarget: () => require('./events.js').EventTarget,
    Headers: () => require('./headers.js').Headers,
    Request: () => require('./fetch.js').Request,
    Response: () => require('./fetch.js').Response,
    TextDecoder: () => require('./text-coding.js').TextDecoder,
    TextEncoder: () => require('./text-coding.js').TextEncoder,
    URL: () => require('./url.js').URL,
    URLSearchParams: () => require('./url-search-params.js').URLSearchParams,
    atob: () => require('./base64.js').atob,
    btoa: () => require('./base64.js').btoa,
    structuredClone: () => require('./structured-clone.js').structuredClone,
    console: () => require('./console.js').createConsole(write),
    crypto: () => require('./web-crypto.js').createWebCrypto(send, random, randomUUID),
    fetch: () => require('./fetch.js').createFetch(send),
    setTimeout: () => timers().setTimeout,
    setInterval: () => timers().setInterval,
    clearTimeout: () => timers().clearTimeout,
    clearInterval: () => timers().clearInterval,
    performance: () => ({ now: () => now() - begun, timeOrigin: begun }),
    queueMicrotask: () => require('./timers.js').queueMicrotask,
    self: () => globalThis,
  }
  for (const name in parts) addLazily(name, parts[name])
}

function addLazily(name, make) {
  const settle = (value) =>
    defineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true })
  defineProperty(globalThis, name, {
    __proto__: null,
    configurable: true,
    get() {
      const value = make()
      settle(value)
      return value
    },
    set: (value) => void settle(value),
  })
}
