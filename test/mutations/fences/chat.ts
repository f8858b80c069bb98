import type { Fence } from '../mutation.ts'

const chat = 'test/core-plugins/chat/chat.test.ts'

/** A conversation is its user’s alone. */
export const chatConversations: Fence = {
  name: 'chat',
  mutations: [
    {
      name: 'chat-after-anybodys-message',
      file: 'core-plugins/chat/runs/place.ts',
      before: 'findById(wish.parentId).where({ conversation_id: id })',
      after: 'findById(wish.parentId)',
      tests: [chat],
      why: 'A model is told what was said in a colleague’s conversation.',
    },
    {
      name: 'chat-judges-anybodys-answer',
      file: 'core-plugins/chat/conversations/service.ts',
      before: ".where({ conversation_id: id, role: 'assistant' })",
      after: ".where({ role: 'assistant' })",
      tests: [chat],
      why: 'What colleagues think of their answers is written by somebody else.',
    },
    {
      name: 'chat-conversation-of-anybody',
      file: 'core-plugins/chat/conversations/service.ts',
      before: "where({ user_id: userId }).whereNull('deleted_at')",
      after: "whereNull('deleted_at')",
      tests: [chat],
      why: 'Colleagues read and delete each other’s conversations.',
    },
    {
      name: 'chat-goes-on-with-anybodys',
      file: 'core-plugins/chat/runs/run-store.ts',
      before: ".where({ user_id: userId })\n    .whereNull('deleted_at')\n    .forUpdate()",
      after: ".whereNull('deleted_at')\n    .forUpdate()",
      tests: [chat],
      why: 'A colleague’s conversation is gone on with, and all of it told.',
    },
    {
      name: 'chat-deleted-shown-by-link',
      file: 'core-plugins/chat/shares/service.ts',
      before: "findById(share.conversationId).whereNull('deleted_at')",
      after: 'findById(share.conversationId)',
      tests: [chat],
      why: 'What was deleted is still read by its link.',
    },
    {
      name: 'chat-shared-without-ai',
      file: 'core-plugins/chat/shares/service.ts',
      before: 'error.status === 403) return false',
      after: 'error.status === 403) return true',
      tests: [chat],
      why: 'Links of a tenant without AI go on.',
    },
    {
      name: 'chat-run-of-anybody',
      file: 'core-plugins/chat/door/chat-service.ts',
      before: 'findById(runId).where({ user_id: userId })',
      after: 'findById(runId)',
      tests: ['test/core-plugins/chat/runs.test.ts'],
      why: 'Answers of colleagues are read and ended.',
    },
    {
      name: 'chat-confirmed-too-late',
      file: 'core-plugins/chat/door/chat-service.ts',
      before: 'Date.parse(at) < Date.now()',
      after: 'Date.parse(at) < 0',
      tests: ['test/core-plugins/chat/tools.test.ts'],
      why: 'A call that was forgotten is made when nobody looks at it any more.',
    },
    {
      name: 'chat-sent-before-by-anybody',
      file: 'core-plugins/chat/runs/sent-before.ts',
      before: 'user_id: userId, agent_id: agentId, pruned',
      after: 'agent_id: agentId, pruned',
      tests: ['test/core-plugins/chat/sent-again.test.ts'],
      why: 'Who guesses a message’s name is told a colleague’s answer.',
    },
    {
      name: 'chat-of-a-deleted-user',
      file: 'core-plugins/chat/setup.ts',
      before: 'forgetUser(db, tenantId, userId)',
      after: 'forgetUser(db, tenantId, -userId)',
      tests: [chat],
      why: 'Conversations outlive the user who had them.',
    },
  ],
}
