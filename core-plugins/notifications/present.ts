import type { NotificationRow } from './models.ts'

/** Row → response body. */
export function presentNotification({ id, title, body, level, link, source, readAt, createdAt }: NotificationRow) {
  return {
    ...{ id, title, body, level, link, source },
    read_at: readAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }
}
