import sanitizeHtml from 'sanitize-html'

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const blocks = ['p', 'div', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li']
const inline = ['a', 'strong', 'b', 'em', 'i', 'u', 's', 'code', 'sub', 'sup', 'span', 'img']
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']

/** Keeps structure, links and images of a text and drops everything that could act. */
export function sanitiseHtml(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [...headings, ...blocks, ...inline, ...tables],
    allowedAttributes: {
      a: ['href', 'title'],
      img: ['src', 'alt', 'title', 'width', 'height'],
      th: ['colspan', 'rowspan'],
      td: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['http', 'https', 'attachment'] },
    allowProtocolRelative: false,
  }).trim()
}
