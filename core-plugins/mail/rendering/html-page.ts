const page = 'margin:0;padding:24px;background:#f5f6f8;color:#1f2329;font:16px/1.6 -apple-system,"Segoe UI",sans-serif'
const card = 'max-width:560px;margin:0 auto;padding:24px 32px;background:#ffffff;border-radius:8px'
const code = 'font:600 28px/1.4 ui-monospace,Menlo,monospace;letter-spacing:4px'
const closing = 'margin-top:32px;color:#646a73;font-size:13px'

/** One paragraph and what it is. */
export interface Paragraph {
  readonly kind: 'text' | 'code' | 'link'
  readonly text: string
}

/** An e-mail's HTML part: nothing in it is loaded from anywhere, and every text is escaped. */
export function htmlPage(locale: string, title: string, paragraphs: readonly Paragraph[], signature: string): string {
  const content = paragraphs.map(paragraphHtml).join('\n')
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="${escapeHtml(page)}">
<div style="${card}">
${content}
<p style="${closing}">${escapeHtml(signature)}</p>
</div>
</body>
</html>
`
}

function paragraphHtml({ kind, text }: Paragraph): string {
  const escaped = escapeHtml(text)
  if (kind === 'code') return `<p style="${code}">${escaped}</p>`
  // Anything else than a web address stays text.
  if (kind === 'link' && /^https?:\/\//i.test(text)) return `<p><a href="${escaped}">${escaped}</a></p>`
  return `<p>${escaped}</p>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
