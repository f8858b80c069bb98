/** Whether a reader wants a page: the Accept header names text/html before JSON, or more than it. */
export function prefersHtml(accept: string | undefined): boolean {
  const wanted = (accept ?? '').toLowerCase().split(',').map(readRange)
  const page = wanted.findIndex(({ type }) => type === 'text/html' || type === 'application/xhtml+xml')
  const data = wanted.findIndex(({ type }) => type === 'application/json' || type === 'application/problem+json')
  const [pageQuality, dataQuality] = [wanted[page]?.quality ?? 0, wanted[data]?.quality ?? 0]
  return pageQuality > dataQuality || (pageQuality > 0 && pageQuality === dataQuality && page < data)
}

function readRange(text: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { type, quality: Number.isFinite(quality) ? quality : 0 }
}
