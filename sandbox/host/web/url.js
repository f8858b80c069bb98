import { expose, wellFormed } from './bytes.js'
import { percentEncode, sets } from './percent.js'
import { changePart, parseUrl } from './url-parser.js'
import { hasNoAuthority, isOpaque, originOf, writeHost, writePath, writeUrl } from './url-record.js'
import { onPairsChanged, setPairs, URLSearchParams } from './url-search-params.js'

function read(text, base) {
  const from = base === undefined ? undefined : parseUrl(wellFormed(base))
  if (base !== undefined && !from) return undefined
  return parseUrl(wellFormed(text), from)
}

const invalid = () => Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' })
const creating = Symbol('creating')

/** The URL of the web. */
export class URL {
  #url
  #pairs
  constructor(text, base) {
    if (arguments.length === 0) throw new TypeError('URL needs a text')
    const record = base === creating ? text : read(text, base)
    if (!record) throw invalid()
    this.#url = record
  }
  static canParse(text, base) {
    if (arguments.length === 0) throw new TypeError('canParse needs a text')
    return read(text, base) !== undefined
  }
  static parse(text, base) {
    if (arguments.length === 0) throw new TypeError('parse needs a text')
    const record = read(text, base)
    return record ? new URL(record, creating) : null
  }
  get href() {
    return writeUrl(this.#url)
  }
  set href(text) {
    const record = read(text)
    if (!record) throw invalid()
    this.#url = record
    this.#tellPairs()
  }
  get origin() {
    return originOf(this.#url, parseUrl)
  }
  get protocol() {
    return `${this.#url.scheme}:`
  }
  set protocol(text) {
    changePart(this.#url, 'schemeStart', `${wellFormed(text)}:`)
  }
  get username() {
    return this.#url.username
  }
  set username(text) {
    const value = wellFormed(text)
    if (!hasNoAuthority(this.#url)) this.#url.username = percentEncode(value, sets.userinfo)
  }
  get password() {
    return this.#url.password
  }
  set password(text) {
    const value = wellFormed(text)
    if (!hasNoAuthority(this.#url)) this.#url.password = percentEncode(value, sets.userinfo)
  }
  get host() {
    return writeHost(this.#url)
  }
  set host(text) {
    const value = wellFormed(text)
    if (!isOpaque(this.#url)) changePart(this.#url, 'host', value)
  }
  get hostname() {
    return this.#url.host ?? ''
  }
  set hostname(text) {
    const value = wellFormed(text)
    if (!isOpaque(this.#url)) changePart(this.#url, 'hostname', value)
  }
  get port() {
    return this.#url.port === null ? '' : `${this.#url.port}`
  }
  set port(text) {
    const value = wellFormed(text)
    if (hasNoAuthority(this.#url)) return
    if (value === '') this.#url.port = null
    else changePart(this.#url, 'port', value)
  }
  get pathname() {
    return writePath(this.#url)
  }
  set pathname(text) {
    const value = wellFormed(text)
    if (isOpaque(this.#url)) return
    this.#url.path = []
    changePart(this.#url, 'pathStart', value)
  }
  get search() {
    return this.#url.query ? `?${this.#url.query}` : ''
  }
  set search(text) {
    const value = wellFormed(text)
    this.#url.query = value === '' ? null : ''
    if (value !== '') changePart(this.#url, 'query', value.replace(/^\?/, ''))
    this.#tellPairs()
  }
  get searchParams() {
    if (!this.#pairs) {
      this.#pairs = new URLSearchParams(this.#url.query ?? '')
      // A query may begin with a question mark of its own.
      this.#tellPairs()
      onPairsChanged(this.#pairs, () => {
        const text = this.#pairs.toString()
        this.#url.query = text === '' ? null : text
      })
    }
    return this.#pairs
  }
  get hash() {
    return this.#url.fragment ? `#${this.#url.fragment}` : ''
  }
  set hash(text) {
    const value = wellFormed(text)
    this.#url.fragment = value === '' ? null : ''
    if (value !== '') changePart(this.#url, 'fragment', value.replace(/^#/, ''))
  }
  toString() {
    return this.href
  }
  toJSON() {
    return this.href
  }
  #tellPairs() {
    if (this.#pairs) setPairs(this.#pairs, this.#url.query ?? '')
  }
}
expose(URL)
