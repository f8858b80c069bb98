import { useQuery } from '@tanstack/vue-query'
import type { NotificationBody, NotificationListBody } from '../../../notifications/wire.ts'
import { currentLocale } from '../tab/i18n.ts'
import { call } from './client.ts'

/** Something that the reader was told. */
export type Notification = NotificationBody

/** The newest, and how many of all were not read. */
export function useNewest() {
  return useQuery({
    queryKey: ['/notifications', 'newest', currentLocale()],
    queryFn: ({ signal }) =>
      call<NotificationListBody>('GET', '/notifications', {
        query: { page_size: 10 },
        signal,
      }),
  })
}

/** Marks one as read, or all. */
export function markRead(id?: string): Promise<unknown> {
  return call('POST', id === undefined ? '/notifications/read-all' : `/notifications/${id}/read`)
}

/** A link of a notification when it is a page of the console; nothing else is followed. */
export function pageOf({ link }: Pick<Notification, 'link'>): string | undefined {
  if (link === null || !/^\/(?![/\\])/.test(link)) return undefined
  return link.replace(/^\/console(?=\/|$)/, '') || '/'
}
