import {
  byteLengthOf,
  charCodeAt,
  hasOwn,
  includes,
  IntrinsicPromise,
  now,
  sealed,
  setPrototypeOf,
  slice,
  stringify,
  text,
  toRadix,
} from './guest-intrinsics.js'
import { PluginError } from './guest-error.js'
import { id, randomBytes } from './guest-random.js'
import { createQuery, sendBatch } from './guest-query.js'
import { ctxMembers } from '../capabilities/ctx-members.ts'

const longestLine = 4096

/** What refuses everything in the place of a capability that was not granted, or was taken back. */
const refuse = (capability, name, others) => (operation) =>
  new IntrinsicPromise((_, reject) => {
    const asked = others === undefined ? '' : slice(operation, name.length + 1)
    const missing = others !== undefined && hasOwn(others, asked) ? others[asked] : capability
    const details = { __proto__: null, reason: 'capability_missing', capability: missing }
    reject(new PluginError('forbidden', `The capability ${missing} was not granted`, details))
  })

/** The members of ctx that every plugin has. */
const everybodys = { __proto__: null }
/** The others as they are without their capability; they know nothing of a call. */
const absent = { __proto__: null }
/** Which capability brings which member. */
const brought = { __proto__: null }
for (const name in ctxMembers) {
  const { by, open, others } = ctxMembers[name]
  if (by.length === 0) everybodys[name] = open
  else absent[name] = sealed(open(refuse(by[0], name, others)))
  for (let index = 0; index < by.length; index++) brought[by[index]] = { __proto__: null, name, open }
}

function bytesOf(data) {
  if (typeof data === 'string') return { text: data }
  let hex = ''
  const length = byteLengthOf(data)
  for (let index = 0; index < length; index++) hex += (data[index] < 16 ? '0' : '') + toRadix(data[index], 16)
  return { hex }
}

function withBytes(data, fields) {
  const bytes = bytesOf(data)
  fields.text = bytes.text
  fields.hex = bytes.hex
  return fields
}

/** The time depends on the lengths alone. */
function timingSafeEqual(left, right) {
  const isText = typeof left === 'string'
  if (isText !== (typeof right === 'string')) return false
  const length = isText ? left.length : byteLengthOf(left)
  if (length !== (isText ? right.length : byteLengthOf(right))) return false
  let difference = 0
  for (let index = 0; index < length; index++)
    difference |= isText ? charCodeAt(left, index) ^ charCodeAt(right, index) : left[index] ^ right[index]
  return difference === 0
}

function createCrypto(send) {
  return sealed({
    sha256: (data, encoding) => send('crypto.digest', withBytes(data, { encoding })),
    hmac: (key, data, options) =>
      send('crypto.hmac', {
        key: bytesOf(key),
        data: bytesOf(data),
        hash: own(options, 'hash'),
        encoding: own(options, 'encoding'),
      }),
    randomBytes,
    timingSafeEqual,
  })
}

function createLog(line) {
  const at = (level) => (message, data) => {
    let json
    try {
      json = data === undefined ? '' : stringify(data)
    } catch {
      json = ''
    }
    if (typeof json !== 'string' || json.length > longestLine) json = ''
    line(level, slice(typeof message === 'symbol' ? 'a symbol' : text(message), 0, longestLine), json)
  }
  return sealed({ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') })
}

/** Undefined for what is inherited, such as `constructor`. */
function own(values, name) {
  return values !== undefined && values !== null && hasOwn(values, name) ? values[name] : undefined
}

function createTranslate(messages) {
  return (key, variables) => {
    const message = own(messages, key) ?? key
    let result = ''
    let name
    for (let index = 0; index < message.length; index++) {
      const letter = message[index]
      if (name === undefined && letter === '{') name = ''
      else if (name !== undefined && letter === '}') {
        result += own(variables, name) ?? `{${name}}`
        name = undefined
      } else if (name !== undefined) name += letter
      else result += letter
    }
    return name === undefined ? result : `${result}{${name}`
  }
}

/** The frozen `ctx` of one call: its plain data, and the members that capabilities bring, which refuse what was not granted. */
export function createCtx(data, send, line) {
  const capabilities = data.capabilities ?? []
  const { messages } = data
  // Without a prototype no setter of a plugin's sees what is added. The last member goes first, which is no change of form.
  delete data.messages
  delete data.capabilities
  setPrototypeOf(data, null)
  data.log = createLog(line)
  for (const name in everybodys) data[name] = sealed(everybodys[name](send))
  data.t = createTranslate(messages)
  data.id = id
  data.now = now
  data.crypto = createCrypto(send)
  data.can = (capability) => includes(capabilities, capability)
  for (const name in absent) data[name] = absent[name]
  for (let index = 0; index < capabilities.length; index++) {
    const member = brought[capabilities[index]]
    if (member !== undefined) data[member.name] = sealed(member.open(send))
  }
  return sealed(data)
}

/** The third argument of a handler, which refuses everything unless tables were granted. */
export function dbFor(capabilities, send) {
  return includes(capabilities, tablesPermission) ? createDb(send) : absentDb
}

const tablesPermission = 'db:own_tables'
const absentDb = createDb(refuse(tablesPermission))

/** In a transaction its queries carry the transaction's key. */
function createDb(send, tx) {
  const table = (name) => createQuery(send, name, tx)
  const batch = (queries) => sendBatch(send, queries, tx)
  if (tx !== undefined) return sealed({ table, batch })
  const run = async (work) => {
    const { tx: opened } = await send('db.begin', {})
    let result
    try {
      result = await work(createDb(send, opened))
    } catch (error) {
      await send('db.rollback', { tx: opened })
      throw error
    }
    await send('db.commit', { tx: opened })
    return result
  }
  return sealed({ table, batch, tx: run })
}
