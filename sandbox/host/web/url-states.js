import { percentEncode, sets } from './percent.js'
import { parseHost } from './url-host.js'
import { isDriveLetter, isNormalDriveLetter, isSpecial, shorten, specialPorts } from './url-record.js'
import { end, failed, SchemeStates, stopped } from './url-scheme-states.js'

const isSingleDot = (part) => /^(?:\.|%2e)$/i.test(part)
const isDoubleDot = (part) => /^(?:\.|%2e){2}$/i.test(part)

/** The rest of the state machine: authority, path, query and fragment. */
export class UrlStates extends SchemeStates {
  authority(letter) {
    const { url } = this
    if (letter === '@') {
      const text = this.isAtSeen ? `%40${this.buffer}` : this.buffer
      this.isAtSeen = true
      for (const one of text) {
        if (one === ':' && !this.isPasswordSeen) this.isPasswordSeen = true
        else url[this.isPasswordSeen ? 'password' : 'username'] += percentEncode(one, sets.userinfo)
      }
      this.buffer = ''
    } else if (this.isPathEnd(letter)) {
      if (this.isAtSeen && this.buffer === '') return failed
      this.go('host', Array.from(this.buffer).length + 1)
      this.buffer = ''
    } else this.buffer += letter
  }
  host(letter) {
    const { url, override } = this
    if (override !== undefined && url.scheme === 'file') {
      this.go('fileHost', 1)
      return undefined
    }
    const isColon = letter === ':' && !this.isInBrackets
    if (!isColon && !this.isPathEnd(letter)) {
      if (letter === '[') this.isInBrackets = true
      if (letter === ']') this.isInBrackets = false
      this.buffer += letter
      return undefined
    }
    if (!isColon) this.at--
    if (this.buffer === '' && (isColon || isSpecial(url))) return failed
    if (isColon && override === 'hostname') return failed
    if (
      !isColon &&
      override !== undefined &&
      this.buffer === '' &&
      (url.username !== '' || url.password !== '' || url.port !== null)
    )
      return failed
    const host = this.buffer === '' ? '' : parseHost(this.buffer, !isSpecial(url))
    if (host === undefined) return failed
    url.host = host
    this.buffer = ''
    this.state = isColon ? 'port' : 'pathStart'
    return !isColon && override !== undefined ? stopped : undefined
  }
  hostname(letter) {
    return this.host(letter)
  }
  port(letter) {
    const { url, override } = this
    if (letter !== end && /^\d$/.test(letter)) {
      this.buffer += letter
      return undefined
    }
    if (!this.isPathEnd(letter) && override === undefined) return failed
    if (this.buffer !== '') {
      const port = Number(this.buffer)
      if (port > 65_535) return failed
      url.port = port === specialPorts.get(url.scheme) ? null : port
      this.buffer = ''
      if (override !== undefined) return stopped
    }
    if (override !== undefined) return failed
    this.go('pathStart', 1)
  }
  file(letter) {
    const { base, url } = this
    url.scheme = 'file'
    url.host = ''
    if (letter === '/' || letter === '\\') {
      this.state = 'fileSlash'
      return undefined
    }
    if (base?.scheme !== 'file') return this.go('path', 1)
    url.host = base.host
    url.path = [...base.path]
    url.query = base.query
    if (letter === '?') {
      url.query = ''
      this.state = 'query'
    } else if (letter === '#') {
      url.fragment = ''
      this.state = 'fragment'
    } else if (letter !== end) {
      url.query = null
      if (this.startsWithDrive(this.at)) url.path = []
      else shorten(url)
      this.go('path', 1)
    }
  }
  startsWithDrive(from) {
    const [letter = '', colon = '', next] = this.letters.slice(from, from + 3)
    return isDriveLetter(letter + colon) && (next === undefined || '/\\?#'.includes(next))
  }
  fileSlash(letter) {
    const { base, url } = this
    if (letter === '/' || letter === '\\') {
      this.state = 'fileHost'
      return
    }
    if (base?.scheme === 'file') {
      url.host = base.host
      if (!this.startsWithDrive(this.at) && isNormalDriveLetter(base.path[0] ?? '')) url.path.push(base.path[0])
    }
    this.go('path', 1)
  }
  fileHost(letter) {
    const { url, override, buffer } = this
    if (letter !== end && !'/\\?#'.includes(letter)) {
      this.buffer += letter
      return undefined
    }
    this.at--
    if (override === undefined && isDriveLetter(buffer)) {
      this.state = 'path'
      return undefined
    }
    if (buffer === '') url.host = ''
    else {
      const host = parseHost(buffer, false)
      if (host === undefined) return failed
      url.host = host === 'localhost' ? '' : host
      this.buffer = ''
    }
    if (override !== undefined) return stopped
    this.state = 'pathStart'
  }
  pathStart(letter) {
    const { url, override } = this
    if (isSpecial(url)) this.go('path', letter === '/' || letter === '\\' ? 0 : 1)
    else if (override === undefined && letter === '?') {
      url.query = ''
      this.state = 'query'
    } else if (override === undefined && letter === '#') {
      url.fragment = ''
      this.state = 'fragment'
    } else if (letter !== end) this.go('path', letter === '/' ? 0 : 1)
    else if (override !== undefined && url.host === null) url.path.push('')
  }
  path(letter) {
    const { url, override } = this
    const isSlash = letter === '/' || this.isBackslash(letter)
    const isOver = letter === end || isSlash || (override === undefined && (letter === '?' || letter === '#'))
    if (!isOver) {
      this.buffer += percentEncode(letter, sets.path)
      return
    }
    if (isDoubleDot(this.buffer)) {
      shorten(url)
      if (!isSlash) url.path.push('')
    } else if (isSingleDot(this.buffer)) {
      if (!isSlash) url.path.push('')
    } else {
      if (url.scheme === 'file' && url.path.length === 0 && isDriveLetter(this.buffer))
        this.buffer = `${this.buffer[0]}:`
      url.path.push(this.buffer)
    }
    this.buffer = ''
    if (letter === '?') {
      url.query = ''
      this.state = 'query'
    } else if (letter === '#') {
      url.fragment = ''
      this.state = 'fragment'
    }
  }
  opaquePath(letter) {
    const { url } = this
    if (letter === '?') {
      url.query = ''
      this.state = 'query'
    } else if (letter === '#') {
      url.fragment = ''
      this.state = 'fragment'
    } else if (letter === ' ') {
      const next = this.rest()
      url.path += next === '?' || next === '#' ? '%20' : ' '
    } else if (letter !== end) url.path += percentEncode(letter, sets.control)
  }
  query(letter) {
    const { url, override } = this
    if (letter !== end && (letter !== '#' || override !== undefined)) {
      this.buffer += letter
      return
    }
    url.query += percentEncode(this.buffer, isSpecial(url) ? sets.specialQuery : sets.query)
    this.buffer = ''
    if (letter === '#') {
      url.fragment = ''
      this.state = 'fragment'
    }
  }
  fragment(letter) {
    if (letter !== end) this.url.fragment += percentEncode(letter, sets.fragment)
  }
}
