import { created, defineRoute, type Route } from '#kernel'
import { conversationParams } from '../conversations/schemas.ts'
import { revokedBody, shareBody, sharedBody, tokenParams } from './schemas.ts'
import type { ShareService } from './service.ts'

const path = '/ai/agent-chat/conversations/{conversation_id}/share'
const own = { auth: 'tenant', permission: 'user_conversation:update' } as const

/** The endpoints of links to conversations. */
export function shareRoutes(shares: ShareService): readonly Route[] {
  return [
    defineRoute({
      ...{ ...own, method: 'post', path },
      summary: 'Make a read-only link to a conversation as it is now, in place of the one before',
      errors: [4036, 4047, 4094],
      answers: [201],
      schema: { params: conversationParams, response: shareBody },
      handler: async ({ principal, tenant, params }) =>
        created(await shares.create(principal, tenant, params.conversation_id)),
    }),
    defineRoute({
      ...{ ...own, method: 'delete', path },
      summary: 'Take the link to a conversation back',
      errors: [4036, 4047],
      schema: { params: conversationParams, response: revokedBody },
      handler: async ({ principal, params }) => ({ revoked: await shares.revoke(principal, params.conversation_id) }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/public/shared-conversations/{token}',
      summary: 'Read a conversation that was shared by a link',
      auth: 'none',
      limit: { policy: 'shared_conversations', requests: 60, seconds: 60, by: 'ip' },
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' },
      errors: [4040, 4290],
      schema: { params: tokenParams, response: sharedBody },
      handler: ({ params }) => shares.read(params.token),
    }),
  ]
}
