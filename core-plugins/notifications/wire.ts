import type { BodyOf } from '#kernel/schemas'
import type { announcementBody } from './announcements/schemas.ts'
import type { notificationBody, notificationList } from './schemas.ts'

/** Something that somebody was told. */
export type NotificationBody = BodyOf<typeof notificationBody>
/** A page of that, and how many of all are unread. */
export type NotificationListBody = BodyOf<typeof notificationList>
/** An announcement, as those see it who announce. */
export type AnnouncementBody = BodyOf<typeof announcementBody>
