/** The bytes of a buffer or of a view of one; throws for anything else. */
export function bytesOf(source, what = 'The data') {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  if (isBuffer(source)) return new Uint8Array(source)
  throw new TypeError(`${what} must be an ArrayBuffer or a view of one`)
}

/** Whether it is an ArrayBuffer. */
export function isBuffer(value) {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]' && value instanceof ArrayBuffer
}

/** Gives a class the name that `Object.prototype.toString` says, and functions that are seen when they are listed. */
export function expose(type, name = type.name) {
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true })
  for (const key of Object.getOwnPropertyNames(type.prototype)) {
    if (key === 'constructor') continue
    Object.defineProperty(type.prototype, key, { enumerable: true })
  }
}

/** A text of whole characters. */
export function wellFormed(value) {
  return `${value}`.toWellFormed()
}
