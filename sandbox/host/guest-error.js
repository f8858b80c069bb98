import { create, freeze, hasOwn, IntrinsicError, slice, stringify, text } from './guest-intrinsics.js'

/** What a rejected host call throws; the sdk's class of this name recognises it. */
export class PluginError extends IntrinsicError {
  constructor(code, message, details) {
    super(message)
    this.name = 'PluginError'
    this.code = code
    if (details !== undefined) this.details = details
  }
}
freeze(PluginError)
freeze(PluginError.prototype)

const caps = { __proto__: null, name: 100, code: 100, reason: 100, message: 2000, stack: 8000 }
const mostDetails = 16_000

function read(value, key) {
  try {
    return value[key]
  } catch {
    return undefined
  }
}

function describe(value) {
  if (typeof value === 'symbol') return 'a symbol was thrown'
  if (typeof value === 'function') return 'a function was thrown'
  return slice(text(value), 0, caps.message)
}

/**
 * Flattens whatever was thrown into the JSON text of plain data, inside the guest and inside its timed entry: getters may
 * throw, loop and lie, and the host reads none of them.
 */
export function flatten(thrown) {
  const flat = create(null)
  flat.name = 'Error'
  flat.message = ''
  if (thrown === null || (typeof thrown !== 'object' && typeof thrown !== 'function')) {
    flat.name = 'Thrown'
    flat.message = describe(thrown)
    return stringify(flat)
  }
  for (const key in caps) {
    const value = read(thrown, key)
    if (typeof value === 'string') flat[key] = slice(value, 0, caps[key])
  }
  const status = read(thrown, 'status')
  if (typeof status === 'number') flat.status = status
  flat.details = flattenDetails(read(thrown, 'details'))
  return stringify(flat)
}

/** As JSON text within the JSON text: what `toJSON` says the second time could be anything. */
function flattenDetails(details) {
  if (details === undefined) return undefined
  try {
    const json = stringify(details)
    return typeof json === 'string' && json.length <= mostDetails ? json : undefined
  } catch {
    return undefined
  }
}

/** Whether an object has this key itself; false, not an exception, when it is no object or refuses to answer. */
export function owns(value, key) {
  try {
    return value !== null && (typeof value === 'object' || typeof value === 'function') && hasOwn(value, key)
  } catch {
    return false
  }
}
