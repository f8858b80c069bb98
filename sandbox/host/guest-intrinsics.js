/**
 * What the glue uses of the language, taken before any plugin code runs: a plugin may replace every built-in of its own
 * context, and then harms only itself. The glue calls these and its own functions, never a method of a prototype; it does
 * not spread or iterate, because both go through prototypes.
 */
const { apply, ownKeys, setPrototypeOf } = Reflect
const uncurry =
  (method) =>
  (self, ...parameters) =>
    apply(method, self, parameters)

export const { parse, stringify } = JSON
export const { create, defineProperty, freeze, hasOwn } = Object
export const { isArray } = Array
export const { now } = Date
export const { floor } = Math
export const IntrinsicPromise = Promise
export const IntrinsicError = Error
export const IntrinsicUint8Array = Uint8Array
export const IntrinsicUint32Array = Uint32Array
export const text = String
export { ownKeys, setPrototypeOf }
export const then = uncurry(Promise.prototype.then)
export const slice = uncurry(String.prototype.slice)
export const charCodeAt = uncurry(String.prototype.charCodeAt)
export const toRadix = uncurry(Number.prototype.toString)
export const byteLengthOf = uncurry(
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'length').get,
)

/** Adds to the end of a list without `push`, which a setter on Array.prototype could see. */
export function append(list, value) {
  defineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true })
}

/** Whether a list has it, asked of nobody else. */
export function includes(list, wanted) {
  for (let index = 0; index < (list?.length ?? 0); index++) if (list[index] === wanted) return true
  return false
}

/** Takes away the prototype of named values, and lets nobody change them: what a plugin is given. */
export function sealed(members) {
  setPrototypeOf(members, null)
  return freeze(members)
}

/** Takes away what would share memory, run code outside a timed entry, or reach the host's terminal. */
export function removeGlobals() {
  const names = ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'console', 'FinalizationRegistry', 'WeakRef']
  for (let index = 0; index < names.length; index++) delete globalThis[names[index]]
}
