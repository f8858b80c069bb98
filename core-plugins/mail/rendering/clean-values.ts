type Values = Readonly<Record<string, string | number>>

const longest = 200
const longestParagraph = 10_000
const longestOf: Readonly<Record<string, number>> = { link: 2_000, body: 2_000, told_body: 2_000 }
/** A paragraph that a plugin writes. */
const paragraphForm = /^mail\d+$/
/** What a mail program would make a link of. */
const looksLikeLink = /:\/\/|[\p{L}\p{N}-]\.\p{L}{2,}/u
/** What anybody chooses for themselves, the name of a device with a stolen password too, and what plugins say. */
const chosenByStrangers: ReadonlySet<string> = new Set([
  'nickname',
  'inviter',
  'device',
  'told_title',
  'told_body',
  'mail_subject',
])

/**
 * Values as texts that can stand in a subject, a header or a paragraph: without line breaks, control and direction characters,
 * cut to a length. What strangers choose is left out where it reads as a link, for the message is ours.
 */
export function cleanValues(values: Values): ReadonlyMap<string, string> {
  const texts = Object.entries(values).map(([name, value]): readonly [string, string] => {
    return [name, cleanText(String(value), longestOf[name] ?? (paragraphForm.test(name) ? longestParagraph : longest))]
  })
  const isLure = (name: string, text: string): boolean =>
    (chosenByStrangers.has(name) || paragraphForm.test(name)) && looksLikeLink.test(text)
  return new Map(texts.filter(([name, text]) => text !== '' && !isLure(name, text)))
}

/** One line of visible characters. */
export function cleanText(text: string, length = longest): string {
  const line = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  return [...line].slice(0, length).join('')
}
