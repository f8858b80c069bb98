/** Elements and attributes that a text had when it was sent and has no longer as it is kept, each once. */
export function cleanedAway(sent: string, kept: string): readonly string[] {
  const left = new Set(partsOf(kept))
  return [...new Set(partsOf(sent))].filter((part) => !left.has(part))
}

/** Names of elements, and of the attributes that they have. */
function partsOf(html: string): readonly string[] {
  return [...html.matchAll(/<([a-z][\w-]*)([^>]*)>/gi)].flatMap(([, element = '', rest = '']) => {
    const attributes = [...rest.matchAll(/(?:^|\s)([a-z][\w:-]*)\s*=/gi)].map(([, name = '']) => name.toLowerCase())
    return [`<${element.toLowerCase()}>`, ...attributes]
  })
}
