/** Characters of one message that are looked at. */
const longestText = 100_000
const longestAtom = 200
const mostAtoms = 2_000

const code = /`([^`\n]{1,200})`/gu
const quoted = /"([^"\n]{2,200})"|“([^”\n]{1,200})”|「([^」\n]{1,200})」|『([^』\n]{1,200})』|«([^»\n]{1,200})»/gu
const url = /\bhttps?:\/\/[^\s<>"'`“”「」『』«»（），。；、]{1,490}/giu
const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gu
const named =
  /(?<![\p{L}\p{N}])(?:order|invoice|ticket|case|number|no\.|nr\.|订单号?|单号|编号)\s{0,2}[#:：]?\s{0,2}[\w-]{0,20}\d[\w-]{0,40}/giu
const month = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const dated = new RegExp(
  [
    String.raw`(?<!\d)\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)`,
    String.raw`(?<!\d)\d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\d)`,
    String.raw`(?<![\p{L}\d])\d{1,2}\.?\s(?:${month})[a-z]{0,6}\.?(?:,?\s\d{4})?(?![\p{L}\d])`,
    String.raw`(?<!\p{L})(?:${month})[a-z]{0,6}\.?\s\d{1,2}(?:,?\s\d{4})?(?!\d)`,
  ].join('|'),
  'giu',
)
/** Letters and digits together, or parts with hyphens of which one has a digit. */
const id = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]{3,80}(?![\p{L}\p{N}_-])/gu
const latinId = /^[A-Za-z0-9_-]+$/
const unit = '%|‰|°[CF]?|[A-Za-z]{1,4}(?![A-Za-z])|元|块|万|亿|天|周|个?月|年|小时|分钟|秒|人|件|个|台|次|円|日|時間|分'
const number = new RegExp(
  String.raw`[¥€$£₹₩]?\s?(?<![\d.,])[+-]?\d{1,20}(?:[.,]\d{1,20}){0,6}(?:\s?(?:${unit}))?`,
  'gu',
)

/** From what says most to what says least: a span that is part of one before it is none of its own. */
const kinds = [code, quoted, url, email, named, dated, id, number]

/**
 * What a summary must not change: numbers with their units, dates, ids, addresses, quotations and pieces of code, each once, in the order in
 * which they stand. Takes time in proportion to the text, whatever the text is.
 */
export function atomsIn(text: string): readonly string[] {
  const readable = text.slice(0, longestText).toWellFormed()
  const taken = new Uint8Array(readable.length)
  const found: { readonly at: number; readonly atom: string }[] = []
  for (const kind of kinds) {
    for (const match of readable.matchAll(kind)) {
      const at = match.index
      const end = at + match[0].length
      if (isTaken(taken, at, end) || (kind === id && !looksLikeId(match[0]))) continue
      const atom = trim(match.slice(1).find((group) => group !== undefined) ?? match[0])
      if (atom === '' || atom.length > longestAtom) continue
      taken.fill(1, at, end)
      found.push({ at, atom })
      if (found.length >= mostAtoms * 2) break
    }
  }
  found.sort((a, b) => a.at - b.at)
  return unique(found.map(({ atom }) => atom)).slice(0, mostAtoms)
}

/** Whether an atom stands in a text, whatever its case and spaces. */
export function atomFinder(text: string): (atom: string) => boolean {
  const all = plain(text)
  return (atom) => all.includes(plain(atom))
}

function isTaken(taken: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (taken[at] === 1) return true
  return false
}

function looksLikeId(word: string): boolean {
  return latinId.test(word) && /\d/.test(word) && /[A-Za-z_-]/.test(word)
}

function trim(atom: string): string {
  return atom.trim().replace(/[.,;:!?)\]}]+$/u, '')
}

function unique(atoms: readonly string[]): readonly string[] {
  const seen = new Map(atoms.map((atom) => [plain(atom), atom] as const).toReversed())
  return atoms.filter((atom) => seen.get(plain(atom)) === atom && seen.delete(plain(atom)))
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
}
