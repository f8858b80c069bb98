import { defineRoute, type Route } from '#kernel'
import { conversationParams } from '../conversations/schemas.ts'
import { compactBody, compactionBody, snapshotBody } from './schemas.ts'
import type { UserCompactions } from './user-compactions.ts'

const path = '/ai/agent-chat/conversations/{conversation_id}/compact'
const tenant = { auth: 'tenant', path } as const

/** The endpoints of what older messages come to. */
export function compactionRoutes(compactions: UserCompactions): readonly Route[] {
  return [
    defineRoute({
      ...{ ...tenant, method: 'get', permission: 'user_conversation:detail' },
      summary: 'Read what stands in the place of a conversation’s older messages when the model is asked',
      errors: [4036, 4047],
      schema: { params: conversationParams, response: compactionBody },
      handler: ({ principal, params }) => compactions.get(principal, params.conversation_id),
    }),
    defineRoute({
      ...{ ...tenant, method: 'post', permission: 'user_conversation:update' },
      summary: 'Shorten a conversation’s older messages now; they stay readable',
      errors: [4036, 4047, 4094],
      schema: { params: conversationParams, body: compactBody, response: snapshotBody },
      handler: ({ principal, params, body, state, signal }) =>
        compactions.make(principal, params.conversation_id, body, { traceId: state.traceId, signal }),
    }),
  ]
}
