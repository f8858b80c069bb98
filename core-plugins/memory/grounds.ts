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
