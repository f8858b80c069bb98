/** Whether a list of an API key has a name in it: `*` stands for any part, no list for all. In time that grows with the name's length alone. */
export function isListed(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, name))
}

function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
