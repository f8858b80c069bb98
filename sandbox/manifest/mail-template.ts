const placeholder = /\{\{([a-z][a-zA-Z0-9_]{0,31})\}\}/g

/** The values that a text of a template names. */
export function placeholdersOf(text: string): readonly string[] {
  return Array.from(text.matchAll(placeholder), ([, name = '']) => name)
}

/** Puts values into a text of a template, once: one in braces stays what it is. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(placeholder, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))
}

/** The text without what is filled in: braces that are left say nothing. */
export function withoutPlaceholders(text: string): string {
  return text.replace(placeholder, 'x')
}

/** The paragraphs of a body, set off by empty lines; the lines of one run on. */
export function paragraphsOf(body: string): readonly string[] {
  return body
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
}
