import type { Report } from '../fault.ts'
import type { Rule } from './rule.ts'

/** Controls of terminals, line ends of their own kind, and what makes a reader see other words than are there. */
const misleading = /[^\P{Cc}\t\n\r]|[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const visible = /[^\s\p{Cf}\p{Cc}]/u

/** What it says is what is seen: no text of it misleads, and its title and description are not empty to the eye. */
export const texts: Rule = {
  reads: ['title', 'description'],
  check(manifest, report) {
    checkCharacters('', manifest, report)
    for (const field of ['title', 'description'] as const) {
      for (const [locale, text] of Object.entries(manifest[field]))
        if (!visible.test(text)) report(`${field}.${locale}`, 'visible', 'There is nothing to be seen here.')
    }
  },
}

/** Keys of free form are held to forms of their own; texts may be anywhere. */
function checkCharacters(field: string, value: unknown, report: Report): void {
  if (typeof value === 'string' && misleading.test(value))
    report(field, 'character', 'A text has a control character, or one that turns the direction of others.')
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) checkCharacters(field ? `${field}.${name}` : name, member, report)
}
