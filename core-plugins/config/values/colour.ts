/** A colour as lower-case hexadecimal, from `#rgb`, `#rrggbb`, `#rrggbbaa` or `rgb()`; undefined when it is none. */
export function normaliseColour(text: string): string | undefined {
  const lower = text.trim().toLowerCase()
  if (/^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(lower)) return lower
  const parts = /^rgb\(\s*(\d{1,3})\s*[,\s]\s*(\d{1,3})\s*[,\s]\s*(\d{1,3})\s*\)$/.exec(lower)?.slice(1).map(Number)
  if (!parts || parts.some((part) => part > 255)) return undefined
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
