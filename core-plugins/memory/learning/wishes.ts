import type { MemoryKind } from '../tables.ts'

/** Longer messages are texts that somebody pasted, not words of the user's. */
const longestMessage = 2_000
const mostWishes = 5

const forms = [
  /^(?:please\s+|pls\s+)?(?:remember|note|keep in mind|don[’']t forget|do not forget|make a note)(?:\s+that\b|\s*[:,])\s*(.{3,400}?)(?=[.!?](?:\s|$)|$)/iu,
  /^(?:请|麻烦)?(?:你)?(?:记住|记得|记下|别忘了|不要忘记)[：:，,\s]*(.{2,300}?)(?=[。！？]|$)/u,
]
const preference = /\b(?:prefer|like|love|hate|dislike|always|never|please|call me)\b|喜欢|偏好|讨厌|总是|不要|叫我/iu

/** What a user asks to be remembered, in so many words, at the beginning of a line or a sentence of the user's own message. */
export function wishesIn(message: string): readonly { readonly text: string; readonly kind: MemoryKind }[] {
  if (message.length > longestMessage) return []
  return message
    .split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/u)
    .flatMap((sentence) => {
      const text = forms.map((form) => form.exec(sentence.trim())?.[1]?.trim()).find((each) => each !== undefined)
      return text === undefined || text === '' ? [] : [text]
    })
    .slice(0, mostWishes)
    .map((text) => ({ text, kind: preference.test(text) ? ('preference' as const) : ('fact' as const) }))
}
