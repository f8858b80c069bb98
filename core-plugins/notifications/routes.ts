import { defineRoute, deletedBody, readPage, tenantNeeds, type Route } from '#kernel'
import { kindList, notificationList, notificationParams, notificationQuery, readBody } from './schemas.ts'
import type { NotificationService } from './service.ts'

const sortable = ['-created_at']
const admit = tenantNeeds('user_notification:read')

/** One's own notifications. */
export function notificationRoutes(notifications: NotificationService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/notifications',
      summary: 'List one’s notifications, newest first, with how many are unread',
      admit,
      schema: { query: notificationQuery, response: notificationList },
      handler: ({ principal, query, state }) =>
        notifications.list(principal, readPage(query, sortable), query, state.locale),
    }),
    defineRoute({
      method: 'get',
      path: '/notifications/kinds',
      summary:
        'List what one was told of; how each comes stands in the preferences notification_channels and notification_muted',
      admit,
      schema: { response: kindList },
      handler: ({ principal }) => notifications.listKinds(principal),
    }),
    defineRoute({
      method: 'post',
      path: '/notifications/read-all',
      summary: 'Mark all of one’s notifications as read',
      admit,
      schema: { response: readBody },
      handler: ({ principal }) => notifications.readAll(principal),
    }),
    defineRoute({
      method: 'post',
      path: '/notifications/{notification_id}/read',
      summary: 'Mark a notification as read',
      admit,
      schema: { params: notificationParams, response: readBody },
      errors: [4040],
      handler: ({ principal, params }) => notifications.read(principal, params.notification_id),
    }),
    defineRoute({
      method: 'delete',
      path: '/notifications/{notification_id}',
      summary: 'Delete a notification',
      admit,
      schema: { params: notificationParams, response: deletedBody },
      errors: [4040],
      async handler({ principal, params }) {
        await notifications.delete(principal, params.notification_id)
        return { deleted: true }
      },
    }),
  ]
}
