import { expose, wellFormed } from './bytes.js'
import { percentDecodeText, percentEncode, sets } from './percent.js'

const write = (text) => percentEncode(text, sets.form).replace(/%20/g, '+')

/** The pairs of a query. */
function parseForm(text) {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const split = part.indexOf('=')
      const name = split < 0 ? part : part.slice(0, split)
      const value = split < 0 ? '' : part.slice(split + 1)
      return [name, value].map((one) => percentDecodeText(one.replace(/\+/g, ' ')))
    })
}

function readInit(init) {
  if (init === undefined) return []
  if (typeof init !== 'object' && typeof init !== 'function') return parseForm(wellFormed(init).replace(/^\?/, ''))
  if (init === null) return parseForm('null')
  if (init[Symbol.iterator] === undefined || init[Symbol.iterator] === null) {
    const pairs = new Map()
    for (const name of Reflect.ownKeys(init)) {
      if (!Object.getOwnPropertyDescriptor(init, name)?.enumerable) continue
      pairs.set(wellFormed(name), wellFormed(init[name]))
    }
    return [...pairs]
  }
  return Array.from(init, (pair) => {
    const items = Array.from(pair)
    if (items.length !== 2) throw new TypeError('Each pair must have a name and a value')
    return items.map(wellFormed)
  })
}

function* iterate(list, pick) {
  for (let index = 0; index < list().length; index++) yield pick(list()[index])
}

const need = (given, count, name) => {
  if (given.length < count) throw new TypeError(`${name} needs ${count} argument${count > 1 ? 's' : ''}`)
}

let changed
let follow

/** The URLSearchParams of the web. */
export class URLSearchParams {
  #list
  #onChange
  constructor(init = '') {
    this.#list = readInit(init)
  }
  get size() {
    return this.#list.length
  }
  append(name, value) {
    need(arguments, 2, 'append')
    this.#list.push([wellFormed(name), wellFormed(value)])
    this.#onChange?.()
  }
  delete(name, value) {
    need(arguments, 1, 'delete')
    const [key, only] = [wellFormed(name), value === undefined ? undefined : wellFormed(value)]
    this.#list = this.#list.filter((pair) => pair[0] !== key || (only !== undefined && pair[1] !== only))
    this.#onChange?.()
  }
  get(name) {
    need(arguments, 1, 'get')
    const key = wellFormed(name)
    return this.#list.find((pair) => pair[0] === key)?.[1] ?? null
  }
  getAll(name) {
    need(arguments, 1, 'getAll')
    const key = wellFormed(name)
    return this.#list.filter((pair) => pair[0] === key).map((pair) => pair[1])
  }
  has(name, value) {
    need(arguments, 1, 'has')
    const [key, only] = [wellFormed(name), value === undefined ? undefined : wellFormed(value)]
    return this.#list.some((pair) => pair[0] === key && (only === undefined || pair[1] === only))
  }
  set(name, value) {
    need(arguments, 2, 'set')
    const [key, text] = [wellFormed(name), wellFormed(value)]
    const index = this.#list.findIndex((pair) => pair[0] === key)
    if (index < 0) this.#list.push([key, text])
    else {
      this.#list[index] = [key, text]
      this.#list = this.#list.filter((pair, place) => pair[0] !== key || place === index)
    }
    this.#onChange?.()
  }
  sort() {
    this.#list.sort((left, right) => (left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0))
    this.#onChange?.()
  }
  forEach(callback, self) {
    if (typeof callback !== 'function') throw new TypeError('forEach needs a function')
    for (const [name, value] of this) callback.call(self, value, name, this)
  }
  entries() {
    return iterate(
      () => this.#list,
      ([name, value]) => [name, value],
    )
  }
  keys() {
    return iterate(
      () => this.#list,
      ([name]) => name,
    )
  }
  values() {
    return iterate(
      () => this.#list,
      ([, value]) => value,
    )
  }
  toString() {
    return this.#list.map(([name, value]) => `${write(name)}=${write(value)}`).join('&')
  }
  static {
    changed = (params, text) => (params.#list = parseForm(text))
    follow = (params, onChange) => (params.#onChange = onChange)
  }
}
expose(URLSearchParams)
Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, {
  value: URLSearchParams.prototype.entries,
  writable: true,
  configurable: true,
})

/** Gives the pairs another text to stand for. */
export const setPairs = (params, text) => changed(params, text)
/** Tells whenever the pairs change. */
export const onPairsChanged = (params, onChange) => follow(params, onChange)
