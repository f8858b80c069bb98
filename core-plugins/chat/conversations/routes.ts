import { defineRoute, readPage, type Route } from '#kernel'
import {
  conversationBody,
  conversationChange,
  conversationDetail,
  conversationPage,
  conversationParams,
  conversationQuery,
  deletedConversation,
  deleteQuery,
  detailQuery,
  feedbackAnswer,
  feedbackBody,
  messageParams,
} from './schemas.ts'
import type { ConversationService } from './service.ts'

const path = '/ai/agent-chat/conversations'
const one = `${path}/{conversation_id}`
const tenant = { auth: 'tenant' } as const

/** The endpoints of one's own conversations. */
export function conversationRoutes(conversations: ConversationService): readonly Route[] {
  return [
    defineRoute({
      ...{ ...tenant, method: 'get', path, permission: 'user_conversation:list' },
      summary: 'List one’s conversations, the latest first',
      errors: [4036],
      schema: { query: conversationQuery, response: conversationPage },
      handler: ({ principal, query }) =>
        conversations.list(principal, readPage(query, ['-updated_at', 'created_at', 'title']), query),
    }),
    defineRoute({
      ...{ ...tenant, method: 'get', path: one, permission: 'user_conversation:detail' },
      summary: 'Read a conversation with its last messages, or those before one',
      errors: [4036, 4047],
      schema: { params: conversationParams, query: detailQuery, response: conversationDetail },
      handler: ({ principal, params, query }) => conversations.get(principal, params.conversation_id, query),
    }),
    defineRoute({
      ...{ ...tenant, method: 'patch', path: one, permission: 'user_conversation:update' },
      summary: 'Name, pin or archive a conversation',
      errors: [4036, 4047],
      schema: { params: conversationParams, body: conversationChange, response: conversationBody },
      handler: ({ principal, params, body, state }) =>
        conversations.update(params.conversation_id, trimmed(body), principal, state.traceId),
    }),
    defineRoute({
      ...{ ...tenant, method: 'delete', path: one, permission: 'user_conversation:delete' },
      summary: 'Delete a conversation; what is being written in it ends',
      errors: [4036, 4047],
      schema: { params: conversationParams, query: deleteQuery, response: deletedConversation },
      async handler({ principal, params, query }) {
        const keepsMemories = query.memories === 'keep'
        return {
          deleted: true,
          memories_removed: await conversations.delete(principal, params.conversation_id, { keepsMemories }),
        }
      },
    }),
    defineRoute({
      ...{ ...tenant, method: 'put', path: `${one}/messages/{message_id}/feedback` },
      permission: 'user_conversation:update',
      summary: 'Say what one thinks of an answer',
      errors: [4036, 4040, 4047],
      schema: { params: messageParams, body: feedbackBody, response: feedbackAnswer },
      handler({ principal, params, body: { rating, comment = '' } }) {
        const said = rating === null ? null : { rating, comment }
        return conversations.judge(principal, params.conversation_id, params.message_id, said)
      },
    }),
  ]
}

function trimmed<C extends { readonly title?: string | null }>(change: C): C {
  return typeof change.title === 'string' ? { ...change, title: change.title.trim() } : change
}
