import { isOpaque, isSpecial, shorten, specialPorts } from './url-record.js'

/** What stands behind the last character. */
export const end = undefined
/** The text says no URL. */
export const failed = Symbol('failed')
/** The part that was to be changed is over. */
export const stopped = Symbol('stopped')
const isLetter = (letter) => letter !== end && /^[a-z]$/i.test(letter)

/**
 * The state machine of the URL Standard, up to the authority: each state takes a character, and may move the place or say that
 * it is over.
 */
export class SchemeStates {
  constructor(input, base, url, override) {
    this.letters = Array.from(input)
    this.base = base
    this.url = url
    this.override = override
    this.state = override ?? 'schemeStart'
    this.at = 0
    this.buffer = ''
    this.isAtSeen = false
    this.isInBrackets = false
    this.isPasswordSeen = false
  }
  run() {
    for (; this.at <= this.letters.length; this.at++) {
      const outcome = this[this.state](this.letters[this.at])
      if (outcome !== undefined) return outcome
    }
    return undefined
  }
  rest(count = 1) {
    return this.letters.slice(this.at + 1, this.at + 1 + count).join('')
  }
  go(state, back = 0) {
    this.state = state
    this.at -= back
  }
  isPathEnd(letter) {
    return letter === end || letter === '/' || letter === '?' || letter === '#' || this.isBackslash(letter)
  }
  isBackslash(letter) {
    return letter === '\\' && isSpecial(this.url)
  }
  takeBase({ query = true, path = true } = {}) {
    const { base, url } = this
    url.username = base.username
    url.password = base.password
    url.host = base.host
    url.port = base.port
    if (path) url.path = isOpaque(base) ? base.path : [...base.path]
    if (query) url.query = base.query
  }

  schemeStart(letter) {
    if (isLetter(letter)) {
      this.buffer += letter.toLowerCase()
      this.state = 'scheme'
    } else if (this.override === undefined) this.go('noScheme', 1)
    else return failed
  }
  scheme(letter) {
    const { url, override, base } = this
    if (letter !== end && /^[a-z\d+\-.]$/i.test(letter)) {
      this.buffer += letter.toLowerCase()
      return undefined
    }
    if (letter !== ':') {
      if (override !== undefined) return failed
      this.buffer = ''
      this.state = 'noScheme'
      this.at = -1
      return undefined
    }
    if (override !== undefined) {
      if (specialPorts.has(url.scheme) !== specialPorts.has(this.buffer)) return stopped
      if ((url.username !== '' || url.password !== '' || url.port !== null) && this.buffer === 'file') return stopped
      if (url.scheme === 'file' && url.host === '') return stopped
    }
    url.scheme = this.buffer
    if (override !== undefined) {
      if (url.port === specialPorts.get(url.scheme)) url.port = null
      return stopped
    }
    this.buffer = ''
    if (url.scheme === 'file') this.state = 'file'
    else if (isSpecial(url) && base?.scheme === url.scheme) this.state = 'specialRelativeOrAuthority'
    else if (isSpecial(url)) this.state = 'specialAuthoritySlashes'
    else if (this.rest() === '/') {
      this.state = 'pathOrAuthority'
      this.at++
    } else {
      url.path = ''
      this.state = 'opaquePath'
    }
  }
  noScheme(letter) {
    const { base, url } = this
    if (!base || (isOpaque(base) && letter !== '#')) return failed
    if (isOpaque(base)) {
      url.scheme = base.scheme
      url.path = base.path
      url.query = base.query
      url.fragment = ''
      this.state = 'fragment'
    } else this.go(base.scheme === 'file' ? 'file' : 'relative', 1)
  }
  specialRelativeOrAuthority(letter) {
    if (letter === '/' && this.rest() === '/') {
      this.state = 'specialAuthorityIgnoreSlashes'
      this.at++
    } else this.go('relative', 1)
  }
  pathOrAuthority(letter) {
    if (letter === '/') this.state = 'authority'
    else this.go('path', 1)
  }
  relative(letter) {
    const { base, url } = this
    url.scheme = base.scheme
    if (letter === '/') this.state = 'relativeSlash'
    else if (this.isBackslash(letter)) this.state = 'relativeSlash'
    else {
      this.takeBase()
      if (letter === '?') {
        url.query = ''
        this.state = 'query'
      } else if (letter === '#') {
        url.fragment = ''
        this.state = 'fragment'
      } else if (letter !== end) {
        url.query = null
        shorten(url)
        this.go('path', 1)
      }
    }
  }
  relativeSlash(letter) {
    if (isSpecial(this.url) && (letter === '/' || letter === '\\')) this.state = 'specialAuthorityIgnoreSlashes'
    else if (letter === '/') this.state = 'authority'
    else {
      this.takeBase({ query: false, path: false })
      this.go('path', 1)
    }
  }
  specialAuthoritySlashes(letter) {
    if (letter === '/' && this.rest() === '/') {
      this.state = 'specialAuthorityIgnoreSlashes'
      this.at++
    } else this.go('specialAuthorityIgnoreSlashes', 1)
  }
  specialAuthorityIgnoreSlashes(letter) {
    if (letter !== '/' && letter !== '\\') this.go('authority', 1)
  }
}
