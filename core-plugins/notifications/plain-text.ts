import { NotificationInvalidError } from './errors.ts'

/** What turns text around or hides in it, so that it reads as something else than it is. */
const deceptive = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Throws 422/4220 unless a text is plain and short enough; a body may have lines and tabs. */
export function checkPlainText(field: 'title' | 'body', text: string, most: number): void {
  const shown = field === 'body' ? text.replace(/[\n\t]/g, '') : text
  if (field === 'title' && text.trim() === '') throw new NotificationInvalidError({ field, fault: 'is empty' })
  // Counted as people do, not in halves of a character.
  if ([...text].length > most) throw new NotificationInvalidError({ field, fault: `is longer than ${most} characters` })
  if (deceptive.test(shown) || !text.isWellFormed())
    throw new NotificationInvalidError({ field, fault: 'has characters that are no plain text' })
}
