const address = /https?:\/\/[^\s<>"']+|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|\d+/giu
const secret = [
  /\b(?:sk|pk|ghp|gho|xox[abp])[-_][\w-]{8,}/i,
  /-----BEGIN [A-Z ]+-----/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}/,
  /(?:password|passphrase|passwort|密码|口令)\s*(?:is|ist|=|:|：|是|为)/i,
]
const cardDigits = /(?:\d[ -]?){13,19}/g

/** Whether every address, e-mail and figure of a text stands in what the user said: none comes from a document, a tool or a model. */
export function isGrounded(text: string, said: string): boolean {
  const heard = said.normalize('NFKC').toLowerCase()
  return (text.normalize('NFKC').match(address) ?? []).every((each) => heard.includes(each.toLowerCase()))
}

/** Of a memory's words, this share must be the user's. */
const leastHeard = 0.5
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+/gu
/** Of so many letters the ends of words are left out: "lives" is what "live" says. */
const stem = 4
/** Such as notes on anybody have. */
const plainWords = new Set(
  'a an and are as at be by does for from has have he her him his i in is it its likes me my not of on or prefers she that the their them they this to user users wants was we were will with you your 用 户 我 你 他 她 的 了 是 在 有 喜 欢 は が の を に で と も た だ す ま'.split(
    ' ',
  ),
)

/**
 * Whether at least half of a text's words are such as the user said: what a document, a tool or a model would have remembered is in
 * other words.
 */
export function isHeard(text: string, said: string): boolean {
  const heard = new Set(wordsOf(said))
  const words = [...new Set(wordsOf(text))]
  const own = words.filter((each) => !plainWords.has(each))
  const counted = own.length > 0 ? own : words
  return counted.filter((each) => heard.has(each)).length >= counted.length * leastHeard
}

function wordsOf(text: string): readonly string[] {
  const found = text.normalize('NFKC').toLowerCase().match(word) ?? []
  return found.map((each) => (plainWords.has(each) ? each : each.slice(0, stem)))
}

/** Whether a text has something that is to be remembered by nobody: a key, a password, the number of a card. */
export function holdsSecret(text: string): boolean {
  const plain = text.normalize('NFKC')
  return secret.some((each) => each.test(plain)) || (plain.match(cardDigits) ?? []).some(isCard)
}

/** ISO/IEC 7812-1, annex B. */
function isCard(text: string): boolean {
  const digits = Array.from(text.replace(/\D/g, ''), Number).toReversed()
  const sum = digits.reduce((all, digit, at) => {
    const doubled = at % 2 === 1 ? digit * 2 : digit
    return all + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return digits.length >= 13 && sum % 10 === 0 && new Set(digits).size > 1
}
