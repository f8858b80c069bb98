/** Names of hosts that are not ASCII, as UTS 46 maps them. */

const base = 36
const most = 0x7fffffff
const dots = /[.\u3002\uff0e\uff61]/g
/** What is dropped: soft hyphens, joiners, variation selectors and the like. */
const ignored = /\u034f|\p{Variation_Selector}|[\u00ad\u200b\u2060\u2064\ufeff]/gu
const forbidden =
  /[\p{Cn}\p{Co}\p{Cs}\p{Cc}\p{Z}\u2ff0-\u2fff\u200e\u200f\u202a-\u202e\u2061-\u2063\u2066-\u206f\ufff9-\uffff]/u

function adapt(delta, count, isFirst) {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1
  rest += Math.floor(rest / count)
  let steps = 0
  for (; rest > 455; steps += base) rest = Math.floor(rest / 35)
  return steps + Math.floor((36 * rest) / (rest + 38))
}

const letterOf = (value) => String.fromCharCode(value < 26 ? value + 97 : value + 22)
const thresholdOf = (step, bias) => (step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias)

function punycode(label) {
  const codes = Array.from(label, (letter) => letter.codePointAt(0))
  let result = codes
    .filter((code) => code < 128)
    .map((code) => String.fromCharCode(code))
    .join('')
  const basic = result.length
  let handled = basic
  if (basic > 0) result += '-'
  let last = 128
  let delta = 0
  let bias = 72
  while (handled < codes.length) {
    const next = codes.reduce((least, code) => (code >= last && code < least ? code : least), most)
    delta += (next - last) * (handled + 1)
    if (delta > most) return undefined
    last = next
    for (const code of codes) {
      if (code < last) delta++
      if (code !== last) continue
      let rest = delta
      for (let step = base; ; step += base) {
        const threshold = thresholdOf(step, bias)
        if (rest < threshold) break
        result += letterOf(threshold + ((rest - threshold) % (base - threshold)))
        rest = Math.floor((rest - threshold) / (base - threshold))
      }
      result += letterOf(rest)
      bias = adapt(delta, handled + 1, handled === basic)
      delta = 0
      handled++
    }
    delta++
    last++
  }
  return result
}

function fromPunycode(text) {
  const split = text.lastIndexOf('-')
  const codes = split > 0 ? Array.from(text.slice(0, split), (letter) => letter.charCodeAt(0)) : []
  let last = 128
  let place = 0
  let bias = 72
  for (let index = split > 0 ? split + 1 : 0; index < text.length;) {
    const before = place
    let weight = 1
    for (let step = base; ; step += base) {
      const code = text.charCodeAt(index++)
      const value = code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? code - 22 : NaN
      if (Number.isNaN(value)) return undefined
      place += value * weight
      if (place > most) return undefined
      const threshold = thresholdOf(step, bias)
      if (value < threshold) break
      weight *= base - threshold
    }
    const count = codes.length + 1
    bias = adapt(place - before, count, before === 0)
    last += Math.floor(place / count)
    place %= count
    if (last > 0x10ffff) return undefined
    codes.splice(place++, 0, last)
  }
  return codes.map((code) => String.fromCodePoint(code)).join('')
}

/** As it is looked up and compared. */
function mapped(text) {
  return text
    .replace(ignored, '')
    .replace(/\u1e9e/g, '\u00df')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/i\u0307/g, 'i\u0307')
    .normalize('NFKC')
}

function isValid(label) {
  return !/^\p{M}/u.test(label) && !forbidden.test(label) && mapped(label) === label && !label.includes('.')
}

/** The form in ASCII of a domain, or undefined when it is none. */
export function domainToAscii(domain) {
  const labels = mapped(domain.replace(dots, '.')).replace(dots, '.').split('.')
  const result = []
  for (const label of labels) {
    if (label.startsWith('xn--')) {
      const shown = fromPunycode(label.slice(4))
      const isAscii = shown !== undefined && ![...shown].some((letter) => letter > '\x7f')
      if (shown === undefined || isAscii || !isValid(shown) || `xn--${punycode(shown)}` !== label) return undefined
      result.push(label)
    } else if ([...label].some((letter) => letter > '\x7f')) {
      if (!isValid(label)) return undefined
      const encoded = punycode(label)
      if (encoded === undefined) return undefined
      result.push(`xn--${encoded}`)
    } else result.push(label)
  }
  return result.join('.')
}
