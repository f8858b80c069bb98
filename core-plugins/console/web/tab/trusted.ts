import DOMPurify from 'dompurify'

/** HTML of somebody else's as the page may show it: without scripts, styles, forms and frames, and with links that know nothing of us. */
export function trustedHtml(html: string): string {
  // The page has its heading; theirs stand below it.
  const trusted: unknown = purify.sanitize(html.replace(/<(\/?)h1\b/gi, '<$1h2'), {
    RETURN_TRUSTED_TYPE: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'iframe', 'video', 'audio'],
    FORBID_ATTR: ['style', 'class', 'id', 'srcset'],
  })
  // A TrustedHTML, which the browser alone makes a difference of; Vue passes it on as it is.
  return trusted as string
}

/** HTML of somebody else's as nodes, for an editor that reads them: nothing that acts, and otherwise as it was written. */
export function trustedNodes(html: string): DocumentFragment {
  return purify.sanitize(html, {
    ...{ RETURN_DOM_FRAGMENT: true, USE_PROFILES: { html: true }, FORBID_ATTR: ['style', 'class', 'id', 'srcset'] },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'iframe', 'video', 'audio'],
  })
}

/** Code whose parts are marked by classes, and nothing else. */
export function trustedCode(html: string): string {
  const allowed = { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'], ALLOW_DATA_ATTR: false }
  const trusted: unknown = purify.sanitize(html, { RETURN_TRUSTED_TYPE: true, ...allowed })
  return trusted as string
}

const mathNamespace = 'http://www.w3.org/1998/Math/MathML'
const mathSizes: ReadonlySet<string> = new Set([
  ...['width', 'height', 'depth', 'lspace', 'rspace', 'minsize', 'maxsize'],
])

/** A formula as MathML, without what it was written as; in no other colours, and nowhere but in its place. */
export function trustedMath(html: string): string {
  const trusted: unknown = purify.sanitize(html.replace(/<annotation\b[\s\S]*?<\/annotation>/g, ''), {
    ...{ RETURN_TRUSTED_TYPE: true, USE_PROFILES: { mathMl: true } },
    FORBID_ATTR: ['style', 'class', 'id', 'href', 'mathcolor', 'mathbackground', 'mathsize', 'scriptlevel', 'voffset'],
  })
  return trusted as string
}

const purify = DOMPurify(window)
purify.addHook('uponSanitizeAttribute', (node, attribute) => {
  const isSize = node.namespaceURI === mathNamespace && mathSizes.has(attribute.attrName)
  if (isSize && !/^\d?(\.\d+)?em$/.test(attribute.attrValue)) attribute.keepAttr = false
})
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.hasAttribute('href')) {
    node.setAttribute('rel', 'noopener noreferrer ugc')
    node.setAttribute('target', '_blank')
  }
  // A picture from elsewhere would tell its host who reads.
  if (node.tagName === 'IMG' && !/^(data:image|blob:)/.test(node.getAttribute('src') ?? '')) node.remove()
})
