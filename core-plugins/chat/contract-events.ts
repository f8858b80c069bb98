import { defineEvent } from '#kernel'

/** A conversation was begun, goes on, was answered, or has another title. */
export const chatConversationUpdated = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly id: string
  readonly title: string
  /** ISO 8601. */
  readonly updatedAt: string
}>('chat.conversation_updated')

/** Its user deleted a conversation. */
export const chatConversationDeleted = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly id: string
}>('chat.conversation_deleted')

/** A message of a conversation is there: a question, or an answer once it is whole. */
export const chatMessageCreated = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly conversationId: string
  readonly messageId: string
  readonly role: 'user' | 'assistant'
}>('chat.message_created')
