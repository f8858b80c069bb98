import { decodeUtf8Whole, eachByte, encodeUtf8 } from './utf-8.js'

const hex = '0123456789ABCDEF'
const setOf = (text, base = () => false) => {
  const all = new Set([...text].map((letter) => letter.charCodeAt(0)))
  return (byte) => all.has(byte) || base(byte)
}

/** The percent-encode sets of the URL Standard, each a function of a byte. */
const control = (byte) => byte <= 0x1f || byte > 0x7e
const fragment = setOf(' "<>`', control)
const query = setOf(' "#<>', control)
const specialQuery = setOf("'", query)
const path = setOf('?^`{}', query)
const userinfo = setOf('/:;=@[\\]|', path)
const component = setOf('$%&+,', userinfo)
const form = setOf("!'()~", component)
export const sets = { control, fragment, query, specialQuery, path, userinfo, component, form }

/** A text whose bytes in the set are written as `%XX`. */
export function percentEncode(text, isIn) {
  let result = ''
  eachByte(text, (byte) => (result += isIn(byte) ? `%${hex[byte >> 4]}${hex[byte & 15]}` : String.fromCharCode(byte)))
  return result
}

/** The bytes of a text in which `%XX` stands for a byte. */
function percentDecode(text) {
  const bytes = encodeUtf8(text)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const high = bytes[index] === 0x25 ? digit(bytes[index + 1]) : -1
    const low = high < 0 ? -1 : digit(bytes[index + 2])
    bytes[length++] = low < 0 ? bytes[index] : high * 16 + low
    if (low >= 0) index += 2
  }
  return bytes.subarray(0, length)
}

/** The same as text. */
export function percentDecodeText(text) {
  return decodeUtf8Whole(percentDecode(text))
}

function digit(byte) {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
