import MarkdownIt from 'markdown-it'
import { trustedHtml } from '../../tab/trusted.ts'
import { longest, piecesOf } from './pieces.ts'

/** A part of a text that is drawn by itself. */
export interface Block {
  readonly kind: 'markdown' | 'code' | 'plain'
  readonly text: string
  /** Of code: what the fence says it is. */
  readonly language: string
  /** Code whose end is still to come. */
  readonly isOpen: boolean
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
const fenceMark = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/
const listItem = /^\s{0,3}([-*+]|\d+[.)])\s/

// A picture from elsewhere would tell its host who reads: it becomes a link.
markdown.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index]
  const source = String(token?.attrGet('src') ?? '')
  return `<a href="${markdown.utils.escapeHtml(source)}">${markdown.utils.escapeHtml(token?.content || source)}</a>`
}
// Where a link leads is said, whatever it calls itself.
markdown.renderer.rules['link_close'] = (tokens, index) => {
  const opened = tokens.slice(0, index).findLast(({ type }) => type === 'link_open')
  const said = tokens[index - 1]?.content ?? ''
  const host = hostOf(String(opened?.attrGet('href') ?? ''))
  return host === '' || said.includes(host) ? '</a>' : ` <small>(${markdown.utils.escapeHtml(host)})</small></a>`
}

/** How formulas are written: `$$…$$` and `\[…\]` on lines of their own, `$…$` and `\(…\)` within one. */
const formula =
  /\$\$([^$]{1,2000}?)\$\$|\\\[([\s\S]{1,2000}?)\\\](?=\s*(?:\n|$))|\\\(([^\n]{1,2000}?)\\\)|\$(?![\s$])([^$\n]{0,500}?[^$\s/])\$(?!\w)/y

// Before escapes, which would take the backslashes away. What draws it comes when there is one.
markdown.inline.ruler.before('escape', 'math', (state, silent) => {
  formula.lastIndex = state.pos
  const before = state.src[state.pos - 1]
  // `A$`, `\\[0\\]`: a price and a bracket are none.
  if (before !== undefined && /\w/.test(before)) return false
  const [whole, ...parts] = formula.exec(state.src) ?? []
  if (whole === undefined) return false
  const at = parts.findIndex((part) => part !== undefined)
  if (!silent)
    Object.assign(state.push('math', 'code', 0), {
      content: parts[at]?.trim() ?? '',
      info: at < 2 ? 'block' : 'inline',
    })
  state.pos += whole.length
  return true
})
markdown.renderer.rules['math'] = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {}
  return `<code data-math="${info}">${markdown.utils.escapeHtml(content)}</code>`
}

/** A source by its number; what goes on as a link is none. */
const citation = /\[(\d{1,4})\](?!\()/y

// Only numbers that there is a source of.
markdown.inline.ruler.before('link', 'citation', (state, silent) => {
  const { citations } = state.env as Environment
  // A button within a link would be neither.
  if (!citations || state.linkLevel > 0 || state.src[state.pos] !== '[') return false
  citation.lastIndex = state.pos
  const [whole = '', number = ''] = citation.exec(state.src) ?? []
  const name = citations.get(Number(number))
  if (name === undefined || whole === '') return false
  if (!silent) Object.assign(state.push('citation', 'sup', 0), { content: number, info: name })
  state.pos += whole.length
  return true
})
markdown.renderer.rules['citation'] = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {}
  return `<sup data-cite="${content}" title="${markdown.utils.escapeHtml(info)}">${content}</sup>`
}

/** What is known beside a text. */
interface Environment {
  /** What sources are called, by the numbers that name them. */
  readonly citations?: ReadonlyMap<number, string> | undefined
}

/** Markdown as HTML that the page may show; the numbers of these sources are marked in it. */
export function renderMarkdown(text: string, citations?: ReadonlyMap<number, string>): string {
  return trustedHtml(markdown.render(text, { citations } satisfies Environment))
}

/** Cuts a text where it may be drawn in parts: at fences, and at empty lines that stand in no list. */
export function splitBlocks(text: string): readonly Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  let fence: { readonly mark: string; readonly language: string } | undefined
  const end = (kind: Block['kind'], language = '', isOpen = false) => {
    const whole = lines.join('\n')
    lines = []
    // To read it as Markdown would hold up the page.
    if (kind === 'markdown' && whole.length > longest)
      blocks.push(...piecesOf(whole).map((text) => ({ kind: 'plain' as const, text, language, isOpen })))
    else if (kind === 'code' || whole.trim() !== '') blocks.push({ kind, text: whole, language, isOpen })
  }
  for (const line of text.split('\n')) {
    const [, mark, language = ''] = fenceMark.exec(line) ?? []
    if (fence) {
      if (mark?.startsWith(fence.mark) && language === '') {
        end('code', fence.language)
        fence = undefined
      } else lines.push(line)
    } else if (mark && !/^\s/.test(line)) {
      end('markdown')
      fence = { mark, language }
    } else {
      const isAfterBreak = lines.at(-1)?.trim() === ''
      const isOfList = listItem.test(lines[0] ?? '') && (/^\s/.test(line) || listItem.test(line))
      if (isAfterBreak && line.trim() !== '' && !isOfList) end('markdown')
      lines.push(line)
    }
  }
  end(fence ? 'code' : 'markdown', fence?.language, fence !== undefined)
  return blocks
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}
