import { accessChanged } from '../../access/contract.ts'
import { attachmentsSettled } from '../../attachments/contract.ts'
import { sessionRevoked } from '../../auth/contract.ts'
import { chatConversationDeleted, chatConversationUpdated, chatMessageCreated } from '../../chat/contract.ts'
import { notificationsCreated, notificationsRead } from '../../notifications/contract.ts'
import { preferencesGlobalChanged } from '../../preferences/contract.ts'
import { keyOf } from '../connections/keys.ts'
import { member, membersOf, wireEvent, type WireEvent } from './wire-event.ts'

const { text, texts, uuid, maybeText } = member

/** What concerns one user. */
export const userEvents: readonly WireEvent[] = [
  wireEvent({
    name: 'notification.created',
    namespace: 'user',
    summary: 'The user got a notification',
    data: membersOf({
      ...{ id: uuid, title: text, body: text, level: text, link: maybeText },
      quiet: { type: 'boolean', description: 'It came in quiet hours: nothing rings' },
    }),
    from: notificationsCreated,
    tell: ({ tenantId, userId, id, title, body, level, link, isQuiet, isShown }) =>
      isShown ? [{ key: keyOf.user(tenantId, userId), data: { id, title, body, level, link, quiet: isQuiet } }] : [],
  }),
  wireEvent({
    name: 'notification.read',
    namespace: 'user',
    summary: 'The user read or deleted a notification that was unread, or with null read all of them',
    data: membersOf({ id: maybeText }),
    from: notificationsRead,
    tell: ({ tenantId, userId, id }) => [{ key: keyOf.user(tenantId, userId), data: { id } }],
  }),
  wireEvent({
    name: 'conversation.updated',
    namespace: 'user',
    summary: 'A conversation of the user was begun, goes on, was answered or has another title',
    data: membersOf({ id: text, title: text, updated_at: text }),
    from: chatConversationUpdated,
    tell: ({ tenantId, userId, id, title, updatedAt }) => [
      { key: keyOf.user(tenantId, userId), data: { id, title, updated_at: updatedAt } },
    ],
  }),
  wireEvent({
    name: 'conversation.deleted',
    namespace: 'user',
    summary: 'The user deleted a conversation',
    data: membersOf({ id: text }),
    from: chatConversationDeleted,
    tell: ({ tenantId, userId, id }) => [{ key: keyOf.user(tenantId, userId), data: { id } }],
  }),
  wireEvent({
    name: 'message.created',
    namespace: 'user',
    summary: 'A question of the user is there, or the whole answer to one',
    data: membersOf({ conversation_id: text, message_id: text, role: { enum: ['user', 'assistant'] } }),
    from: chatMessageCreated,
    tell: ({ tenantId, userId, conversationId, messageId, role }) => [
      {
        key: keyOf.user(tenantId, userId),
        data: { conversation_id: conversationId, message_id: messageId, role },
      },
    ],
  }),
  wireEvent({
    name: 'attachment.ready',
    namespace: 'user',
    summary: 'It is known what became of a file of the user: it can be read, or was quarantined',
    data: membersOf({ id: uuid, status: { enum: ['ready', 'quarantined'] } }),
    from: attachmentsSettled,
    tell: ({ tenantId, userId, id, status }) => [{ key: keyOf.user(tenantId, userId), data: { id, status } }],
  }),
  wireEvent({
    name: 'session.revoked',
    namespace: 'user',
    summary: 'The session of this connection ended; the connection is closed with 4401 after it. In every namespace',
    data: membersOf({ cause: text }),
    isFarewell: true,
    from: sessionRevoked,
    tell: ({ sessionId, cause }) => [{ key: keyOf.session(sessionId), data: { cause } }],
  }),
  wireEvent({
    name: 'preference.global_changed',
    namespace: 'user',
    summary: 'Preferences that users begin with changed, and personal ones of these keys are gone',
    data: membersOf({ keys: texts }),
    from: preferencesGlobalChanged,
    tell: ({ tenantId, keys }) => [{ key: keyOf.users(tenantId), data: { keys } }],
  }),
  wireEvent({
    name: 'permission.changed',
    namespace: 'user',
    summary: 'Roles or who holds them changed: menus and permissions are read again',
    data: membersOf({ version: { ...text, description: 'Another one with each change' } }),
    from: accessChanged,
    tell: ({ tenantId }) => [{ key: keyOf.users(tenantId === 'all' ? '*' : tenantId), data: { version: now() } }],
  }),
]

function now(): string {
  return new Date().toISOString()
}
