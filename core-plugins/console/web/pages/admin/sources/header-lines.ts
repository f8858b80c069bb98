/** Headers as somebody writes them, one a line. */
export function writeHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** What was written, and the first line that is no header. */
export function readHeaders(text: string): { readonly headers: Record<string, string>; readonly wrong?: string } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const wrong = lines.find((line) => line.indexOf(':') < 1)
  if (wrong !== undefined) return { headers: {}, wrong }
  const entries = lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  })
  return { headers: Object.fromEntries(entries) as Record<string, string> }
}
