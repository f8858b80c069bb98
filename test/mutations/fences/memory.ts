import type { Fence } from '../mutation.ts'

const memory = 'test/core-plugins/memory/memory.test.ts'
const learning = 'test/core-plugins/memory/learning.test.ts'

/** What is remembered is of one user, was said by that user, and is forgotten for good. */
export const aiMemory: Fence = {
  name: 'memory',
  mutations: [
    {
      name: 'memory-of-anybody',
      file: 'core-plugins/memory/notes/owner.ts',
      before: "    .where({ user_id: userId })\n    .whereNull('deleted_at')",
      after: "    .whereNull('deleted_at')",
      tests: [memory],
      why: 'A user is told what others said of themselves.',
    },
    {
      name: 'memory-of-secrets',
      file: 'core-plugins/memory/notes/remember.ts',
      before: 'if (holdsSecret(text)) return',
      after: "if (holdsSecret('')) return",
      tests: [learning],
      why: 'Passwords are remembered, and told to every model.',
    },
    {
      name: 'memory-saved-unsaid',
      file: 'core-plugins/memory/learning/save-tool.ts',
      before: '!isGrounded(text, turn.question) || ',
      after: '',
      tests: [learning],
      why: 'A document has its address remembered for every later conversation.',
    },
    {
      name: 'memory-learnt-unsaid',
      file: 'core-plugins/memory/learning/extract.ts',
      before: 'isGrounded(text, said) && isHeard(text, said)',
      after: 'isHeard(text, said)',
      tests: [learning],
      why: 'A model that learns notes an address or a figure that the user never said.',
    },
    {
      name: 'memory-forgotten-in-other-words',
      file: 'core-plugins/memory/learning/extract.ts',
      before: ' && !forgotten.has(message.id)',
      after: '',
      tests: [learning],
      why: 'What a user had forgotten comes back in other words.',
    },
    {
      name: 'memory-without-number',
      file: 'core-plugins/memory/notes/remember.ts',
      before: 'live.length >= mostMemories',
      after: 'live.length >= mostMemories * 1_000',
      tests: [learning],
      why: 'A user fills the database, and every question reads all of it.',
    },
    {
      name: 'memory-saved-without-number',
      file: 'core-plugins/memory/learning/save-tool.ts',
      before: 'if (calls > mostCalls)',
      after: 'if (calls > mostCalls * 1_000)',
      tests: [learning],
      why: 'One answer fills what is remembered.',
    },
    {
      name: 'memory-of-another-conversation',
      file: 'core-plugins/memory/recall/choose.ts',
      before: '.orWhere({ conversation_id: conversationId })',
      after: ".orWhereNotNull('conversation_id')",
      tests: [learning],
      why: 'What was said of one matter is told in every other.',
    },
    {
      name: 'memory-unseen-characters',
      file: 'core-plugins/memory/text-form.ts',
      before: '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\s]+',
      after: '\\s+',
      tests: [memory],
      why: 'Words that nobody sees are told to models.',
    },
  ],
}
