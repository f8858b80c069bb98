/** As much as an answer holds of what a plugin says went wrong. */
const longestText = 1_000
/** Control characters, and those that turn the direction of a line or hide in it: neither a log nor a page takes them for its own. */
const unseen = /[\p{Cc}\p{Bidi_Control}\p{Co}\p{Cs}\u2028\u2029\u200b\ufeff]+/gu

/** What an author's code says, in one line of bounded length. What it says may hold rows of a tenant: it is for who may see the plugin. */
export function authorText(text: string, longest = longestText): string {
  const line = text
    .slice(0, longest * 2)
    .replace(unseen, ' ')
    .trim()
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
