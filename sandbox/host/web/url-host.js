import { domainToAscii } from './domain.js'
import { percentDecodeText, percentEncode, sets } from './percent.js'

const forbiddenHost = new Set('\0\t\n\r #/:<>?@[\\]^|')
const isForbidden = (letter) => forbiddenHost.has(letter) || letter === '%' || letter <= '\x1f' || letter === '\x7f'

/** A host as URLs write it, or undefined when it is none. */
export function parseHost(input, isOpaque) {
  if (input[0] === '[') return input.endsWith(']') ? parseIpv6(input.slice(1, -1)) : undefined
  if (isOpaque)
    return [...input].some((letter) => forbiddenHost.has(letter)) ? undefined : percentEncode(input, sets.control)
  const decoded = percentDecodeText(input)
  const isPlain = ![...decoded].some((letter) => letter > '\x7f')
  const domain = isPlain ? decoded.toLowerCase() : domainToAscii(decoded)
  if (domain === undefined || domain === '' || [...domain].some(isForbidden)) return undefined
  return endsInNumber(domain) ? parseIpv4(domain) : domain
}

function endsInNumber(domain) {
  const parts = domain.split('.')
  if (parts.at(-1) === '') parts.pop()
  const last = parts.at(-1)
  return last !== undefined && (/^\d+$/.test(last) || /^0x[0-9a-f]*$/i.test(last))
}

function parseIpv4(domain) {
  const parts = domain.split('.')
  if (parts.at(-1) === '' && parts.length > 1) parts.pop()
  if (parts.length > 4) return undefined
  const numbers = parts.map(ipv4Number)
  if (numbers.some((number) => Number.isNaN(number))) return undefined
  const last = numbers.pop()
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return undefined
  let address = last
  numbers.forEach((number, index) => (address += number * 256 ** (3 - index)))
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')
}

function ipv4Number(text) {
  if (text === '') return NaN
  if (/^0x/i.test(text)) return text.length === 2 ? 0 : /^0x[0-9a-f]+$/i.test(text) ? parseInt(text, 16) : NaN
  if (text.length > 1 && text[0] === '0') return /^[0-7]+$/.test(text) ? parseInt(text, 8) : NaN
  return /^\d+$/.test(text) ? parseInt(text, 10) : NaN
}

function parseIpv6(input) {
  const halves = input.split('::')
  if (halves.length > 2) return undefined
  const sides = halves.map((half) => (half === '' ? [] : ipv6Pieces(half.split(':'))))
  if (sides.includes(undefined)) return undefined
  const [left, right] = sides
  // Only the last part may be an IPv4 address.
  if (right !== undefined && /\./.test(halves[0])) return undefined
  const count = left.length + (right?.length ?? 0)
  if (right === undefined ? count !== 8 : count > 7) return undefined
  const pieces = [...left, ...new Array(8 - count).fill(0), ...(right ?? [])]
  return `[${shortIpv6(pieces)}]`
}

function ipv6Pieces(parts) {
  const pieces = []
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) pieces.push(parseInt(part, 16))
    else if (index === parts.length - 1 && /^\d{1,3}(\.\d{1,3}){3}$/.test(part)) {
      const numbers = part.split('.').map(Number)
      if (part.split('.').some((text) => text.length > 1 && text[0] === '0')) return undefined
      if (numbers.some((number) => number > 255)) return undefined
      pieces.push(numbers[0] * 256 + numbers[1], numbers[2] * 256 + numbers[3])
    } else return undefined
  }
  return pieces
}

/** The longest run of two zeros or more is left out, the first of equals. */
function shortIpv6(pieces) {
  let from = -1
  let longest = 1
  for (let index = 0; index < 8; index++) {
    let end = index
    while (end < 8 && pieces[end] === 0) end++
    if (end - index > longest) {
      longest = end - index
      from = index
    }
    index = Math.max(index, end - 1)
  }
  const text = (some) => some.map((piece) => piece.toString(16)).join(':')
  if (from < 0) return text(pieces)
  return `${text(pieces.slice(0, from))}::${text(pieces.slice(from + longest))}`
}
