import { expose } from './bytes.js'

const inner = new WeakMap()

/** The Event of the web, without phases: there is no tree. */
export class Event {
  constructor(type, options = {}) {
    if (arguments.length === 0) throw new TypeError('An event needs a type')
    inner.set(this, {
      type: `${type}`,
      cancelable: Boolean(options?.cancelable),
      bubbles: Boolean(options?.bubbles),
      target: null,
      isStopped: false,
      isPrevented: false,
      isPassive: false,
      time: Date.now(),
    })
  }
  get type() {
    return inner.get(this).type
  }
  get target() {
    return inner.get(this).target
  }
  get currentTarget() {
    return inner.get(this).target
  }
  get cancelable() {
    return inner.get(this).cancelable
  }
  get bubbles() {
    return inner.get(this).bubbles
  }
  get defaultPrevented() {
    return inner.get(this).isPrevented
  }
  get timeStamp() {
    return inner.get(this).time
  }
  get isTrusted() {
    return false
  }
  preventDefault() {
    const own = inner.get(this)
    if (own.cancelable && !own.isPassive) own.isPrevented = true
  }
  stopPropagation() {}
  stopImmediatePropagation() {
    inner.get(this).isStopped = true
  }
}
expose(Event)

/** The EventTarget of the web. What a listener throws reaches whoever dispatches, after the others were called. */
export class EventTarget {
  #listeners = []
  addEventListener(type, callback, options) {
    const { once = false, passive = false, signal } = typeof options === 'object' && options !== null ? options : {}
    if (signal !== undefined && typeof signal?.addEventListener !== 'function')
      throw new TypeError('The signal of a listener is no AbortSignal')
    if (callback === null || callback === undefined) return
    if (signal?.aborted) return
    if (this.#listeners.some((one) => one.type === `${type}` && one.callback === callback)) return
    this.#listeners.push({ type: `${type}`, callback, once: Boolean(once), passive: Boolean(passive) })
    signal?.addEventListener('abort', () => this.removeEventListener(type, callback), { once: true })
  }
  removeEventListener(type, callback) {
    this.#listeners = this.#listeners.filter((one) => one.type !== `${type}` || one.callback !== callback)
  }
  dispatchEvent(event) {
    const own = inner.get(event)
    if (!own) throw new TypeError('dispatchEvent needs an Event')
    own.target = this
    const failures = []
    for (const listener of [...this.#listeners]) {
      if (own.isStopped) break
      if (listener.type !== own.type || !this.#listeners.includes(listener)) continue
      if (listener.once) this.removeEventListener(listener.type, listener.callback)
      own.isPassive = listener.passive
      try {
        if (typeof listener.callback === 'function') listener.callback.call(this, event)
        else listener.callback.handleEvent(event)
      } catch (error) {
        failures.push(error)
      }
    }
    own.isStopped = own.isPassive = false
    if (failures.length > 0) throw failures[0]
    return !own.isPrevented
  }
}
expose(EventTarget)
