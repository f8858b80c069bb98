import { bytesOf, expose } from './bytes.js'
import { eachByte, encodeUtf8, Utf8Decoder } from './utf-8.js'

/** The encodings there are, with the names that stand for each. */
const labels = {
  'utf-8': ['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8'],
  'utf-16le': ['csunicode', 'iso-10646-ucs-2', 'ucs-2', 'unicode', 'unicodefeff', 'utf-16', 'utf-16le'],
  'utf-16be': ['unicodefffe', 'utf-16be'],
  'windows-1252': [
    ...['ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1', 'iso-ir-100', 'iso8859-1'],
    ...['iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii', 'windows-1252', 'x-cp1252'],
  ],
}
const names = new Map(Object.entries(labels).flatMap(([name, all]) => all.map((label) => [label, name])))
const windows =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

class Utf16Decoder {
  #isBig
  #byte
  #lead
  constructor(isBig) {
    this.#isBig = isBig
  }
  decode(bytes, fatal, flush, encoding) {
    let text = ''
    const bad = () => {
      if (fatal) throw new TypeError(`The encoded data was not valid for encoding ${encoding}`)
      text += '\ufffd'
    }
    for (let index = 0; index < bytes.length; index++) {
      if (this.#byte === undefined) {
        this.#byte = bytes[index]
        continue
      }
      const unit = this.#isBig ? (this.#byte << 8) | bytes[index] : (bytes[index] << 8) | this.#byte
      this.#byte = undefined
      const lead = this.#lead
      this.#lead = undefined
      const isTrail = unit >= 0xdc00 && unit <= 0xdfff
      if (lead !== undefined && isTrail) {
        text += String.fromCharCode(lead, unit)
        continue
      }
      if (lead !== undefined) bad()
      if (isTrail) bad()
      else if (unit >= 0xd800 && unit <= 0xdbff) this.#lead = unit
      else text += String.fromCharCode(unit)
    }
    if (flush && (this.#byte !== undefined || this.#lead !== undefined)) {
      this.#byte = this.#lead = undefined
      bad()
    }
    return text
  }
}

class SingleByteDecoder {
  decode(bytes) {
    let text = ''
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]
      text += byte >= 0x80 && byte < 0xa0 ? windows[byte - 0x80] : String.fromCharCode(byte)
    }
    return text
  }
}

function decoderOf(encoding) {
  if (encoding === 'utf-8') return new Utf8Decoder()
  return encoding === 'windows-1252' ? new SingleByteDecoder() : new Utf16Decoder(encoding === 'utf-16be')
}

/** The TextDecoder of the web, for UTF-8, UTF-16 and Windows-1252. */
export class TextDecoder {
  #encoding
  #fatal
  #ignoreBOM
  #decoder
  #isFirst = true
  constructor(label = 'utf-8', options = {}) {
    const encoding = names.get(`${label}`.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase())
    if (encoding === undefined) throw new RangeError(`There is no encoding ${label} in the sandbox`)
    this.#encoding = encoding
    this.#fatal = Boolean(options?.fatal)
    this.#ignoreBOM = Boolean(options?.ignoreBOM)
  }
  get encoding() {
    return this.#encoding
  }
  get fatal() {
    return this.#fatal
  }
  get ignoreBOM() {
    return this.#ignoreBOM
  }
  decode(input, options = {}) {
    const goesOn = Boolean(options?.stream)
    const bytes = input === undefined ? new Uint8Array(0) : bytesOf(input)
    this.#decoder ??= decoderOf(this.#encoding)
    const isMarked = this.#encoding !== 'windows-1252' && !this.#ignoreBOM
    let text
    try {
      text = this.#decoder.decode(bytes, this.#fatal, !goesOn, this.#encoding)
    } catch (error) {
      this.#forget()
      throw error
    }
    if (this.#isFirst && isMarked && text[0] === '\ufeff') text = text.slice(1)
    if (text !== '' || bytes.length >= 3) this.#isFirst = false
    if (!goesOn) this.#forget()
    return text
  }
  #forget() {
    this.#decoder = undefined
    this.#isFirst = true
  }
}
expose(TextDecoder)

/** The TextEncoder of the web. */
export class TextEncoder {
  get encoding() {
    return 'utf-8'
  }
  encode(text = '') {
    return encodeUtf8(`${text}`)
  }
  encodeInto(source, target) {
    if (!(target instanceof Uint8Array)) throw new TypeError('encodeInto needs a Uint8Array')
    let read = 0
    let written = 0
    for (const character of `${source}`) {
      const bytes = []
      eachByte(character, (byte) => bytes.push(byte))
      if (written + bytes.length > target.length) break
      for (const byte of bytes) target[written++] = byte
      read += character.length
    }
    return { read, written }
  }
}
expose(TextEncoder)
