import MarkdownIt from 'markdown-it'
import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html'
import { isSafePath } from '../index-format/form.ts'

/** What a text is rendered for. */
export interface MarkdownOptions {
  /** Where the images beside the text are served: their paths are put behind it. Without it there are none. */
  readonly files?: string
}

const tags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li'],
  ...['strong', 'em', 'b', 'i', 'del', 's', 'sub', 'sup', 'kbd', 'details', 'summary', 'dl', 'dt', 'dd'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'img', 'span'],
]
const linkSchemes = ['https:', 'http:', 'mailto:']
const maxNesting = 50
const markdown = new MarkdownIt({ html: true, linkify: false, maxNesting: maxNesting })

/** Renders Markdown as HTML that may stand in a page of ours: no scripts, styles, ids or forms, no request to anybody else. */
export function markdownToHtml(text: string, { files }: MarkdownOptions = {}): string {
  return sanitizeHtml(markdown.render(text), {
    allowedTags: tags,
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'title', 'width', 'height'],
      ol: ['start'],
      th: ['align'],
      td: ['align'],
    },
    // What they hold is dropped with them.
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'iframe', 'svg', 'math'],
    nestingLimit: maxNesting,
    allowedSchemes: ['https', 'http', 'mailto'],
    allowedSchemesByTag: { img: [] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, attributes) => toLink(tagName, attributes),
      img: (tagName, attributes) => toImage(tagName, attributes, files),
      ol: (tagName, { start }) => ({ tagName, attribs: isNumber(start) ? { start } : {} }),
      th: (tagName, attributes) => ({ tagName, attribs: alignment(attributes) }),
      td: (tagName, attributes) => ({ tagName, attribs: alignment(attributes) }),
    },
  })
}

function toLink(tagName: string, { href = '', title }: Attributes): Tag {
  const url = URL.parse(href.trim())
  // A relative address would lead somewhere on this platform.
  if (!url || !linkSchemes.includes(url.protocol)) return { tagName: 'span', attribs: {} }
  return { tagName, attribs: { href: url.href, ...(title && { title }), rel: 'noopener nofollow' } }
}

function toImage(tagName: string, { src = '', alt = '', title, width, height }: Attributes, files?: string): Tag {
  const path = src.trim().replace(/^\.\//, '')
  // Whoever reads a page is not shown to another server: a picture from elsewhere is its own text.
  if (files === undefined || !isSafePath(path)) return { tagName: 'span', attribs: {}, text: alt }
  const sizes = { ...(isNumber(width) && { width }), ...(isNumber(height) && { height }) }
  return { tagName, attribs: { src: files + path, alt, ...(title && { title }), ...sizes } }
}

function alignment({ style = '', align = '' }: Attributes): Attributes {
  const found = /^(?:text-align:)?(left|center|right)$/.exec(style || align)?.[1]
  return found === undefined ? {} : { align: found }
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^[0-9]{1,5}$/.test(text)
}
