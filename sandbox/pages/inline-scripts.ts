const opening = /<script(?=[\s/>])/gi
const closing = /<\/script(?=[\s/>])/gi
const withSource = /(?:^|[\s"'])src\s*=/i
const withType = /(?:^|[\s"'])type\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/** A script that stands in a page itself. */
export interface InlineScript {
  /** As it says it, in small letters; '' where it says none. */
  readonly type: string
  readonly text: string
  /** Where its text begins. */
  readonly at: number
}

/**
 * A page's inline scripts, at most so many. Each character is looked at a few times at most, whatever a page is made of: it is read in
 * the host's process, where nothing would stop it.
 */
export function inlineScripts(html: string, most: number): readonly InlineScript[] {
  const found: InlineScript[] = []
  for (let at = 0; found.length < most;) {
    const tag = openingTag(html, at)
    const end = tag && closingTag(html, tag.end)
    if (!end) break
    if (!withSource.test(tag.attributes))
      found.push({ type: typeOf(tag.attributes), text: html.slice(tag.end, end.begin), at: tag.end })
    at = end.end
  }
  return found
}

function typeOf(attributes: string): string {
  const [, ...said] = withType.exec(attributes) ?? []
  return (said.find((one) => one !== undefined) ?? '').trim().toLowerCase()
}

function openingTag(html: string, from: number): { readonly attributes: string; readonly end: number } | undefined {
  opening.lastIndex = from
  if (!opening.test(html)) return undefined
  const begin = opening.lastIndex
  const close = html.indexOf('>', begin)
  return close < 0 ? undefined : { attributes: html.slice(begin, close), end: close + 1 }
}

function closingTag(html: string, from: number): { readonly begin: number; readonly end: number } | undefined {
  closing.lastIndex = from
  const found = closing.exec(html)
  return found ? { begin: found.index, end: closing.lastIndex } : undefined
}
