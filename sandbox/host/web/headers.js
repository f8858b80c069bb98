import { expose } from './bytes.js'

const nameForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

function checkName(name) {
  const text = `${name}`
  if (!nameForm.test(text)) throw new TypeError(`${text} is no name of a header`)
  return text.toLowerCase()
}

function checkValue(value) {
  const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0 || code === 10 || code === 13 || code > 255)
      throw new TypeError('The value of a header has characters that none has')
  }
  return text
}

let freeze

/** The Headers of the web. */
export class Headers {
  #pairs = []
  #isFrozen = false
  constructor(init) {
    if (init === undefined) return
    if (init === null || (typeof init !== 'object' && typeof init !== 'function'))
      throw new TypeError('Headers need an object')
    if (init[Symbol.iterator] === undefined) {
      for (const name of Reflect.ownKeys(init))
        if (Object.getOwnPropertyDescriptor(init, name)?.enumerable) this.append(name, init[name])
      return
    }
    for (const pair of init) {
      const items = [...pair]
      if (items.length !== 2) throw new TypeError('Each pair must have a name and a value')
      this.append(...items)
    }
  }
  append(name, value) {
    const [key, text] = this.#write(name, value)
    this.#pairs.push([key, text])
  }
  set(name, value) {
    const [key, text] = this.#write(name, value)
    const index = this.#pairs.findIndex((pair) => pair[0] === key)
    if (index < 0) this.#pairs.push([key, text])
    else {
      this.#pairs[index] = [key, text]
      this.#pairs = this.#pairs.filter((pair, place) => pair[0] !== key || place === index)
    }
  }
  delete(name) {
    const [key] = this.#write(name, '')
    this.#pairs = this.#pairs.filter((pair) => pair[0] !== key)
  }
  get(name) {
    const key = checkName(name)
    const values = this.#pairs.filter((pair) => pair[0] === key).map((pair) => pair[1])
    return values.length === 0 ? null : values.join(', ')
  }
  getSetCookie() {
    return this.#pairs.filter(([name]) => name === 'set-cookie').map(([, value]) => value)
  }
  has(name) {
    const key = checkName(name)
    return this.#pairs.some((pair) => pair[0] === key)
  }
  forEach(callback, self) {
    if (typeof callback !== 'function') throw new TypeError('forEach needs a function')
    for (const [name, value] of this) callback.call(self, value, name, this)
  }
  *entries() {
    for (let index = 0; index < this.#sorted().length; index++) yield this.#sorted()[index]
  }
  *keys() {
    for (const [name] of this.entries()) yield name
  }
  *values() {
    for (const [, value] of this.entries()) yield value
  }
  /** In the order of their names; those of one name together, cookies each alone. */
  #sorted() {
    const names = [...new Set(this.#pairs.map(([name]) => name))].sort()
    return names.flatMap((name) =>
      name === 'set-cookie' ? this.getSetCookie().map((value) => [name, value]) : [[name, this.get(name)]],
    )
  }
  #write(name, value) {
    const pair = [checkName(name), checkValue(value)]
    if (this.#isFrozen) throw new TypeError('These headers cannot be changed')
    return pair
  }
  static {
    freeze = (headers) => {
      headers.#isFrozen = true
      return headers
    }
  }
}
expose(Headers)
Object.defineProperty(Headers.prototype, Symbol.iterator, {
  value: Headers.prototype.entries,
  writable: true,
  configurable: true,
})

/** Headers that nobody changes any more. */
export const frozenHeaders = (headers) => freeze(headers)
