import { Parser } from 'htmlparser2'
import type { Block } from './wire.ts'

const hidden = new Set(['script', 'style', 'noscript', 'template', 'head', 'svg', 'nav', 'iframe', 'object', 'select'])
const inline = new Set(
  [
    'a',
    'abbr',
    'b',
    'bdi',
    'bdo',
    'cite',
    'code',
    'data',
    'del',
    'dfn',
    'em',
    'font',
    'i',
    'ins',
    'kbd',
    'label',
  ].concat([
    'mark',
    'q',
    'rp',
    'rt',
    'ruby',
    's',
    'samp',
    'small',
    'span',
    'strong',
    'sub',
    'sup',
    'time',
    'tt',
    'u',
    'var',
    'wbr',
  ]),
)
const cells = new Set(['td', 'th'])
const mostHeading = 200

/** The text of a page under its headings, without what is no text, and its title. */
export function htmlBlocks(html: string): { readonly title: string | null; readonly blocks: Block[] } {
  const blocks: Block[] = []
  const headings: { readonly level: number; readonly said: string }[] = []
  let text = ''
  let title: string | undefined
  let inTitle = false
  let heading = 0
  let hiddenIn = 0

  function flush(): void {
    const said = text
      .replace(/[ \t\r\f\v]+/g, ' ')
      .replace(/ ?\n\s*/g, '\n')
      .trim()
    text = ''
    if (said === '') return
    if (heading > 0) {
      // A page may begin with any level, and leave some out.
      headings.length = headings.findLastIndex(({ level }) => level < heading) + 1
      headings.push({ level: heading, said: said.replace(/\s+/g, ' ').slice(0, mostHeading) })
    } else blocks.push({ headings: headings.map((each) => each.said), page: null, text: said })
  }

  const parser = new Parser({
    onopentag(name) {
      if (name === 'title') inTitle = true
      if (hidden.has(name)) hiddenIn += 1
      if (name === 'br') text += '\n'
      else if (cells.has(name)) text += text === '' ? '' : ' | '
      else if (!inline.has(name)) flush()
      const level = /^h([1-6])$/.exec(name)?.[1]
      if (level !== undefined) heading = Number(level)
    },
    ontext(said) {
      if (inTitle) title = (title ?? '') + said
      else if (hiddenIn === 0) text += heading > 0 || !said.includes('\n') ? said : said.replace(/\s+/g, ' ')
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
      if (hidden.has(name) && hiddenIn > 0) hiddenIn -= 1
      if (!inline.has(name) && !cells.has(name) && name !== 'br') flush()
      if (/^h[1-6]$/.test(name)) heading = 0
    },
  })
  parser.write(html)
  parser.end()
  flush()
  const said = title?.replace(/\s+/g, ' ').trim()
  return { title: said === undefined || said === '' ? null : said.slice(0, mostHeading), blocks }
}
