import type { Said, TextTeller } from '#kernel'
import type { NotificationRow } from './models.ts'

/** Row → response body; what was kept as a text is told in the reader's language. */
export function presentNotification(row: NotificationRow, teller: TextTeller, locale: string) {
  const { id, told, level, link, source, kind, readAt, createdAt } = row
  const tell = (kept: Partial<Said> = {}, words: string): string => teller.tellSaid({ words, ...kept }, locale)
  return {
    ...{ id, title: tell(told?.title, row.title), body: tell(told?.body, row.body), level, link, source, kind },
    read_at: readAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }
}
