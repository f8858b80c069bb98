import { defineRoute, Reply, readPage, type Route } from '#kernel'
import type { ConversationMemory } from './conversation-memory.ts'
import type { Memories } from './memories.ts'
import {
  clearedBody,
  clearQuery,
  conversationParams,
  deletedMemory,
  memoryBody,
  memoryChange,
  memoryFile,
  memoryPage,
  memoryParams,
  memoryQuery,
  memoryState,
} from './schemas.ts'

const path = '/ai/memories'
const one = `${path}/{memory_id}`
const state = '/ai/agent-chat/conversations/{conversation_id}/memory-state'
const tenant = { auth: 'tenant' } as const

/** The endpoints of what agents remember of whoever asks. */
export function memoryRoutes(memories: Memories, ofConversation: ConversationMemory): readonly Route[] {
  return [
    defineRoute({
      ...{ ...tenant, method: 'get', path, permission: 'user_conversation:detail' },
      summary: 'List what agents remember of one',
      schema: { query: memoryQuery, response: memoryPage },
      handler: ({ principal, query }) =>
        memories.list(principal, readPage(query, ['-updated_at', 'created_at', 'used_count']), query),
    }),
    defineRoute({
      ...{ ...tenant, method: 'get', path: `${path}/export`, permission: 'user_conversation:detail' },
      summary: 'Download all that agents remember of one, as a JSON file',
      answers: [{ isBare: true, schema: memoryFile }],
      async handler({ principal }) {
        const file = JSON.stringify(await memories.export(principal), null, 2)
        const headers = { 'content-disposition': 'attachment; filename="memories.json"', 'cache-control': 'no-store' }
        return new Reply({ kind: 'raw', content: file, contentType: 'application/json; charset=utf-8' }, 200, headers)
      },
    }),
    defineRoute({
      ...{ ...tenant, method: 'patch', path: one, permission: 'user_conversation:update' },
      summary: 'Correct what agents remember of one',
      errors: [4040, 4090, 4220],
      schema: { params: memoryParams, body: memoryChange, response: memoryBody },
      handler: ({ principal, params, body }) => memories.update(principal, params.memory_id, body),
    }),
    defineRoute({
      ...{ ...tenant, method: 'delete', path: one, permission: 'user_conversation:delete' },
      summary: 'Have agents forget something; it is not learnt again from what was said',
      errors: [4040],
      schema: { params: memoryParams, response: deletedMemory },
      async handler({ principal, params }) {
        await memories.delete(principal, params.memory_id)
        return { deleted: true }
      },
    }),
    defineRoute({
      ...{ ...tenant, method: 'get', path: state, permission: 'user_conversation:detail' },
      summary: 'Read what is remembered where a conversation is, and how far it was learnt from',
      errors: [4036, 4047],
      schema: { params: conversationParams, response: memoryState },
      handler: ({ principal, params }) => ofConversation.get(principal, params.conversation_id),
    }),
    defineRoute({
      ...{ ...tenant, method: 'delete', path: state, permission: 'user_conversation:delete' },
      summary: 'Have forgotten what is remembered of a conversation, of the user there, or of both',
      errors: [4036, 4047],
      schema: { params: conversationParams, query: clearQuery, response: clearedBody },
      handler: ({ principal, params, query: { scope = 'conversation', ids } }) =>
        ofConversation.clear(principal, params.conversation_id, scope, ids?.split(',')),
    }),
  ]
}
