import MarkdownIt from 'markdown-it'
import { trustedHtml } from '../../../tab/trusted.ts'

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
// A picture from elsewhere would tell its host who reads: it becomes a link.
markdown.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index]
  const source = String(token?.attrGet('src') ?? '')
  return `<a href="${markdown.utils.escapeHtml(source)}">${markdown.utils.escapeHtml(token?.content || source)}</a>`
}

/** Markdown as HTML that the page may show. */
export function renderMarkdown(text: string): string {
  return trustedHtml(markdown.render(text))
}

/** Cuts a text where it may be rendered in parts: at empty lines that stand in no fence and in no list. */
export function splitBlocks(text: string): readonly string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
    const isBreak = line.trim() === '' && fence === undefined
    if (isBreak && block.length > 0 && !/^\s*([-*+]|\d+[.)])\s/.test(block[0] ?? '')) {
      blocks.push(block.join('\n'))
      block = []
    } else block.push(line)
  }
  return block.length > 0 ? [...blocks, block.join('\n')] : blocks
}
