import type { LegalText } from './legal-text.ts'

/** What the page may do: show its text and pictures. */
export const legalPagePolicy =
  "default-src 'none'; img-src 'self' https: http:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; sandbox"

const style =
  ':root{color-scheme:light dark}body{margin:0 auto;max-width:46rem;padding:2rem 1rem;' +
  'font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%;height:auto}' +
  'table{border-collapse:collapse}th,td{border:1px solid;padding:.25rem .5rem}'

/** A legal text as a page of its own. */
export function writeLegalPage({ title, html, locale }: LegalText, tenantName: string): string {
  return (
    `<!doctype html>\n<html lang="${escapeHtml(locale)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escapeHtml(title)} · ${escapeHtml(tenantName)}</title><style>${style}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${html}</main></body></html>\n`
  )
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
