/** UTF-8, both ways, as the Encoding Standard says. */

const replacement = '\ufffd'

/** Calls `put` with each byte of a text; half a character becomes U+FFFD. */
export function eachByte(text, put) {
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index)
    if (code >= 0xd800 && code <= 0xdfff) {
      const low = code < 0xdc00 ? text.charCodeAt(index + 1) : NaN
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
        index++
      } else code = 0xfffd
    }
    if (code < 0x80) put(code)
    else if (code < 0x800) {
      put(0xc0 | (code >> 6))
      put(0x80 | (code & 0x3f))
    } else if (code < 0x10000) {
      put(0xe0 | (code >> 12))
      put(0x80 | ((code >> 6) & 0x3f))
      put(0x80 | (code & 0x3f))
    } else {
      put(0xf0 | (code >> 18))
      put(0x80 | ((code >> 12) & 0x3f))
      put(0x80 | ((code >> 6) & 0x3f))
      put(0x80 | (code & 0x3f))
    }
  }
}

/** The bytes of a text. */
export function encodeUtf8(text) {
  const { length } = text
  const bytes = new Uint8Array(length * 3)
  let at = 0
  let index = 0
  for (let code = text.charCodeAt(0); code < 0x80; code = text.charCodeAt(index)) {
    bytes[at++] = code
    index++
  }
  if (index < length) eachByte(index === 0 ? text : text.slice(index), (byte) => (bytes[at++] = byte))
  return bytes.slice(0, at)
}

/** Decodes piece by piece; what a piece breaks off in the middle waits for the next. */
export class Utf8Decoder {
  #needed = 0
  #seen = 0
  #code = 0
  #lower = 0x80
  #upper = 0xbf

  /** Throws where bytes are no UTF-8 and `fatal` says so; with `flush` nothing is waited for. */
  decode(bytes, fatal, flush) {
    let text = ''
    const bad = () => {
      if (fatal) {
        this.#reset()
        throw new TypeError('The encoded data was not valid for encoding utf-8')
      }
      text += replacement
    }
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]
      if (this.#needed === 0) {
        if (byte < 0x80) text += String.fromCharCode(byte)
        else if (!this.#begin(byte)) bad()
        continue
      }
      if (byte < this.#lower || byte > this.#upper) {
        this.#reset()
        index--
        bad()
        continue
      }
      this.#lower = 0x80
      this.#upper = 0xbf
      this.#code = (this.#code << 6) | (byte & 0x3f)
      if (++this.#seen < this.#needed) continue
      text += String.fromCodePoint(this.#code)
      this.#reset()
    }
    if (flush && this.#needed > 0) {
      this.#reset()
      bad()
    }
    return text
  }
  #begin(byte) {
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.#needed = 1
      this.#code = byte & 0x1f
    } else if (byte >= 0xe0 && byte <= 0xef) {
      if (byte === 0xe0) this.#lower = 0xa0
      if (byte === 0xed) this.#upper = 0x9f
      this.#needed = 2
      this.#code = byte & 0xf
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      if (byte === 0xf0) this.#lower = 0x90
      if (byte === 0xf4) this.#upper = 0x8f
      this.#needed = 3
      this.#code = byte & 0x7
    } else return false
    return true
  }
  #reset() {
    this.#needed = this.#seen = this.#code = 0
    this.#lower = 0x80
    this.#upper = 0xbf
  }
}

/** The text of bytes, without the mark at their beginning; what is no UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes) {
  const text = decodeUtf8Whole(bytes)
  return text[0] === '\ufeff' ? text.slice(1) : text
}

/** The same with the mark, which in addresses and forms is a character like others. */
export function decodeUtf8Whole(bytes) {
  return new Utf8Decoder().decode(bytes, false, true)
}
