import { DOMException } from './dom-exception.js'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Map([...letters].map((letter, value) => [letter, value]))

/** The base64 of bytes. */
export function toBase64(bytes) {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const left = bytes.length - index
    const group = (bytes[index] << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0)
    text += letters[group >> 18] + letters[(group >> 12) & 63]
    text += left > 1 ? letters[(group >> 6) & 63] : '='
    text += left > 2 ? letters[group & 63] : '='
  }
  return text
}

/** The bytes that a text in base64 stands for, or undefined; white space does not count. */
export function fromBase64(text) {
  let data = text.replace(/[\t\n\f\r ]/g, '')
  if (data.length % 4 === 0) data = data.replace(/={1,2}$/, '')
  if (data.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((data.length * 3) / 4))
  let at = 0
  let group = 0
  let bits = 0
  for (let index = 0; index < data.length; index++) {
    const value = values.get(data[index])
    if (value === undefined) return undefined
    group = ((group << 6) | value) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (group >> bits) & 0xff
    }
  }
  return bytes
}

/** The text in base64 of a text whose characters are bytes. */
export function btoa(data) {
  if (arguments.length === 0) throw new TypeError('btoa needs a text')
  const text = `${data}`
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 255) throw new DOMException('The text has characters beyond U+00FF', 'InvalidCharacterError')
    bytes[index] = code
  }
  return toBase64(bytes)
}

/** The text whose characters are the bytes that a text in base64 stands for. */
export function atob(data) {
  if (arguments.length === 0) throw new TypeError('atob needs a text')
  const bytes = fromBase64(`${data}`)
  if (!bytes) throw new DOMException('The text is not base64', 'InvalidCharacterError')
  let text = ''
  for (let index = 0; index < bytes.length; index++) text += String.fromCharCode(bytes[index])
  return text
}
