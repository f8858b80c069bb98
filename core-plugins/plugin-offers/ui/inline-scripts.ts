const OPENING = /<script(?=[\s/>])/gi
const CLOSING = /<\/script(?=[\s/>])/gi
const WITH_SOURCE = /(?:^|[\s"'])src\s*=/i

/**
 * The contents of a page's inline scripts, at most so many. Each character is looked at a few times at most, whatever a page is made
 * of: it is read in the host's process, where nothing would stop it.
 */
export function inlineScripts(html: string, most: number): readonly string[] {
  const found: string[] = []
  for (let at = 0; found.length < most;) {
    const tag = openingTag(html, at)
    const end = tag && closingTag(html, tag.end)
    if (!end) break
    if (!WITH_SOURCE.test(tag.attributes)) found.push(html.slice(tag.end, end.begin))
    at = end.end
  }
  return found
}

function openingTag(html: string, from: number): { readonly attributes: string; readonly end: number } | undefined {
  OPENING.lastIndex = from
  if (!OPENING.test(html)) return undefined
  const begin = OPENING.lastIndex
  const close = html.indexOf('>', begin)
  return close < 0 ? undefined : { attributes: html.slice(begin, close), end: close + 1 }
}

function closingTag(html: string, from: number): { readonly begin: number; readonly end: number } | undefined {
  CLOSING.lastIndex = from
  const found = CLOSING.exec(html)
  return found ? { begin: found.index, end: CLOSING.lastIndex } : undefined
}
