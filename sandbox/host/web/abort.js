import { expose } from './bytes.js'
import { DOMException } from './dom-exception.js'
import { Event, EventTarget } from './events.js'

const creating = Symbol('creating')

/** The AbortSignal of the web; `abortSignal` lets its makers abort it. */
export class AbortSignal extends EventTarget {
  #aborted = false
  #reason
  #onabort = null
  #followers = []
  constructor(key) {
    if (key !== creating) throw new TypeError('An AbortSignal is made by an AbortController')
    super()
  }
  get aborted() {
    return this.#aborted
  }
  get reason() {
    return this.#reason
  }
  get onabort() {
    return this.#onabort
  }
  set onabort(callback) {
    if (this.#onabort) this.removeEventListener('abort', this.#onabort)
    this.#onabort = typeof callback === 'function' ? callback : null
    if (this.#onabort) this.addEventListener('abort', this.#onabort)
  }
  throwIfAborted() {
    if (this.#aborted) throw this.#reason
  }
  static abort(reason) {
    const signal = new AbortSignal(creating)
    AbortSignal.#mark(signal, reason === undefined ? new DOMException('It was aborted', 'AbortError') : reason)
    return signal
  }
  static any(signals) {
    const all = [...signals]
    const result = new AbortSignal(creating)
    for (const signal of all) if (!(#aborted in signal)) throw new TypeError('any takes AbortSignals')
    const first = all.find(({ aborted }) => aborted)
    if (first) AbortSignal.#mark(result, first.reason)
    else for (const signal of all) signal.#followers.push(result)
    return result
  }
  static #mark(signal, reason) {
    signal.#aborted = true
    signal.#reason = reason
  }
  /** Aborts a signal, and those that follow it. */
  static [creating](signal, reason) {
    if (signal.#aborted) return
    AbortSignal.#mark(signal, reason === undefined ? new DOMException('It was aborted', 'AbortError') : reason)
    const followers = signal.#followers.filter((follower) => !follower.#aborted)
    for (const follower of followers) AbortSignal.#mark(follower, signal.#reason)
    signal.dispatchEvent(new Event('abort'))
    for (const follower of followers) AbortSignal.#tell(follower)
  }
  static #tell(signal) {
    for (const follower of signal.#followers) {
      if (follower.#aborted) continue
      AbortSignal.#mark(follower, signal.#reason)
      AbortSignal.#tell(follower)
    }
    signal.dispatchEvent(new Event('abort'))
  }
}
const abortSignal = AbortSignal[creating]
delete AbortSignal[creating]
expose(AbortSignal)

/** The AbortController of the web. */
export class AbortController {
  #signal = new AbortSignal(creating)
  get signal() {
    return this.#signal
  }
  abort(reason) {
    abortSignal(this.#signal, reason)
  }
}
expose(AbortController)

/** Gives signals their `timeout`, which needs the timers of a call. */
export function addTimeout(setTimeout) {
  AbortSignal.timeout = (milliseconds) => {
    const signal = new AbortSignal(creating)
    setTimeout(() => abortSignal(signal, new DOMException('The time is over', 'TimeoutError')), milliseconds)
    return signal
  }
}
