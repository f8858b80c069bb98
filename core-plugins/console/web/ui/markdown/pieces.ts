/** Longer texts are shown as they were written, in pieces. */
export const longest = 20_000
/** So much is laid out at once; the rest when it comes near the screen. */
const most = 8_000
const piece = new RegExp(String.raw`[^]{1,${most}}(?:\n|$)|[^]{1,${most}}(?<=\s)|[^]{1,${most}}`, 'gu')

/** Cuts a text where lines end, else between words, else wherever a piece is long enough, but within no character. */
export function piecesOf(text: string): readonly string[] {
  return text.match(piece) ?? []
}
