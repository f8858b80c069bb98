import { defineError } from '#kernel'

export const NotificationNotFoundError = defineError(4040, 'notification_not_found', 'There is no such notification')
export const RecipientNotFoundError = defineError(4040, 'notification_recipient', 'There is no such user to notify')
export const AnnouncementNotFoundError = defineError(4040, 'announcement_not_found', 'There is no such announcement')
export const AnnouncementTimesError = defineError(4002, 'announcement_times', 'It expires before it begins')
export const NotificationInvalidError = defineError(
  4220,
  'notification_invalid',
  'The {field} of a notification {fault}',
)
