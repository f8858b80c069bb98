import { isBuffer } from './bytes.js'
import { DOMException } from './dom-exception.js'

const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }
const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1)

function refuse(value) {
  let name = typeof value
  try {
    name = typeof value === 'symbol' ? String(value) : (value?.constructor?.name ?? name)
  } catch {
    // Whoever made it says nothing of it.
  }
  throw new DOMException(`${name} could not be cloned`, 'DataCloneError')
}

/** Whether it really is one of the built-in kinds, whatever it says of itself: each has a getter that others throw at. */
function isReally(value, probe) {
  try {
    probe.call(value)
    return true
  } catch {
    return false
  }
}
const getterOf = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get
const probes = [
  [getterOf(Map, 'size'), 'map'],
  [getterOf(Set, 'size'), 'set'],
  [Date.prototype.getTime, 'date'],
  [getterOf(RegExp, 'source'), 'pattern'],
  [WeakMap.prototype.has, 'never'],
  [WeakSet.prototype.has, 'never'],
]
const boxes = [Boolean, Number, String, BigInt]

function kindOf(value) {
  if (isBuffer(value)) return 'buffer'
  if (ArrayBuffer.isView(value)) return 'view'
  for (const [probe, kind] of probes) if (value !== RegExp.prototype && isReally(value, probe)) return kind
  const box = boxes.find((type) => isReally(value, type.prototype.valueOf))
  if (box) return 'box'
  if (isReally(value, Symbol.prototype.valueOf)) return 'never'
  if (tagOf(value) === 'Error' || value instanceof Error) return 'error'
  if (value instanceof Promise || ['Generator', 'AsyncGenerator', 'WeakRef'].includes(tagOf(value))) return 'never'
  return Array.isArray(value) ? 'list' : 'object'
}

class Copier {
  #known = new Map()
  constructor(transferred) {
    this.transferred = transferred
  }
  copy(value) {
    if (typeof value === 'symbol' || typeof value === 'function') refuse(value)
    if (value === null || typeof value !== 'object') return value
    const known = this.#known.get(value)
    return known ?? this.#copyObject(value)
  }
  #keep(value, copy) {
    this.#known.set(value, copy)
    return copy
  }
  #copyObject(value) {
    switch (kindOf(value)) {
      case 'never':
        return refuse(value)
      case 'box':
        return this.#keep(value, Object(value.valueOf()))
      case 'date':
        return this.#keep(value, new Date(Date.prototype.getTime.call(value)))
      case 'pattern':
        return this.#keep(value, new RegExp(value.source, value.flags))
      case 'buffer':
        return this.#copyBuffer(value)
      case 'view':
        return this.#copyView(value)
      case 'map':
        return this.#copyMap(value)
      case 'set':
        return this.#copySet(value)
      case 'error':
        return this.#copyError(value)
      case 'list':
        return this.#copyFields(value, this.#keep(value, new Array(value.length)))
      default:
        return this.#copyFields(value, this.#keep(value, {}))
    }
  }
  #copyBuffer(value) {
    if (value.detached) throw new DOMException('The buffer was given away', 'DataCloneError')
    if (this.transferred.has(value)) return this.#keep(value, value.transfer())
    const copy = value.resizable
      ? new ArrayBuffer(value.byteLength, { maxByteLength: value.maxByteLength })
      : new ArrayBuffer(value.byteLength)
    new Uint8Array(copy).set(new Uint8Array(value))
    return this.#keep(value, copy)
  }
  #copyView(value) {
    const name = value instanceof DataView ? 'DataView' : tagOf(value)
    const { byteOffset } = value
    const size = name === 'DataView' ? value.byteLength : value.length
    return this.#keep(value, new globalThis[name](this.copy(value.buffer), byteOffset, size))
  }
  #copyMap(value) {
    const copy = this.#keep(value, new Map())
    for (const [key, item] of [...Map.prototype.entries.call(value)]) copy.set(this.copy(key), this.copy(item))
    return copy
  }
  #copySet(value) {
    const copy = this.#keep(value, new Set())
    for (const item of [...Set.prototype.values.call(value)]) copy.add(this.copy(item))
    return copy
  }
  #copyError(value) {
    const name = `${value.name}`
    if (value instanceof DOMException) return this.#keep(value, new DOMException(value.message, name))
    const type = Object.hasOwn(errors, name) ? errors[name] : Error
    const copy = this.#keep(value, Object.create(type.prototype))
    const add = (key, item) => Object.defineProperty(copy, key, { value: item, writable: true, configurable: true })
    const message = Object.getOwnPropertyDescriptor(value, 'message')
    if (message && 'value' in message) add('message', `${message.value}`)
    add('stack', `${value.stack}`)
    if (Object.hasOwn(value, 'cause')) add('cause', this.copy(value.cause))
    return copy
  }
  #copyFields(value, copy) {
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(value, key)) continue
      const item = this.copy(value[key])
      Object.defineProperty(copy, key, { value: item, writable: true, enumerable: true, configurable: true })
    }
    return copy
  }
}

/** The structuredClone of the web: of data in memory, with its circles. */
export function structuredClone(value, options) {
  if (arguments.length === 0) throw new TypeError('structuredClone needs a value')
  const transfer = Array.from(options?.transfer ?? [])
  for (const item of transfer) if (!isBuffer(item) || item.detached) refuse(item)
  if (new Set(transfer).size < transfer.length) throw new DOMException('A buffer is given away twice', 'DataCloneError')
  const copy = new Copier(new Set(transfer)).copy(value)
  for (const item of transfer) if (!item.detached) item.transfer()
  return copy
}
