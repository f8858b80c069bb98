import type { Knex } from 'knex'
import { defineRoute, type Route } from '#kernel'
import type { ChatConversations } from '../contract.ts'
import { readTimeline } from './read-timeline.ts'
import { timelinePage, timelineParams, timelineQuery } from './schemas.ts'

/** What happened in a conversation. */
export function timelineRoutes(conversations: ChatConversations, db: Knex): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'get', auth: 'tenant', permission: 'user_conversation:detail' },
      path: '/ai/agent-chat/conversations/{conversation_id}/timeline',
      summary: 'Read what happened in a conversation, in order: every event of its answers but pieces of text',
      errors: [4036, 4047, 4229],
      schema: { params: timelineParams, query: timelineQuery, response: timelinePage },
      async handler({ principal, params, query }) {
        return readTimeline(await conversations.find(principal, params.conversation_id), query, db)
      },
    }),
  ]
}
