import type { Fence } from '../mutation.ts'

const files = 'test/core-plugins/chat/files.test.ts'
const contributors = 'test/core-plugins/chat/contributors.test.ts'
const asModel = 'test/core-plugins/chat/as-model.test.ts'

/** A run does what its user may, with what its user gave it, and tells no secret. */
export const chatRuns: Fence = {
  name: 'chat-runs',
  mutations: [
    {
      name: 'chat-file-of-anybody',
      file: 'core-plugins/chat/files/own-files.ts',
      before: 'const isOwn = file?.ownerId === userId && userId !== 0',
      after: 'const isOwn = file !== undefined',
      tests: [files],
      why: 'Files of others are told to a model.',
    },
    {
      name: 'chat-file-of-any-size',
      file: 'core-plugins/chat/files/message-files.ts',
      before: 'if (size > (isPicture ? mostImageBytes : mostDocumentBytes))',
      after: 'if (size > 100 * (isPicture ? mostImageBytes : mostDocumentBytes))',
      tests: [files],
      why: 'Documents of gigabytes are read for a message.',
    },
    {
      name: 'chat-data-closed-in-capitals',
      file: 'core-plugins/chat/contributions/sections.ts',
      before: 'data\\b)/gi',
      after: 'data\\b)/g',
      tests: [contributors],
      why: 'A document ends its own marks with </DATA>, and gives orders.',
    },
    {
      name: 'chat-password-shown',
      file: 'core-plugins/chat/loop/redact.ts',
      before: "writeOnly === true || redacted === true || format === 'password'",
      after: 'writeOnly === true',
      tests: [contributors],
      why: 'Passwords that a tool takes stand in the conversation.',
    },
    {
      name: 'chat-secret-in-a-part-shown',
      file: 'core-plugins/chat/loop/redact.ts',
      before: "const lists = ['allOf', 'anyOf', 'oneOf']",
      after: "const lists = ['allOf']",
      tests: [contributors],
      why: 'A secret is shown where its schema has alternatives.',
    },
    {
      name: 'chat-call-nobody-confirms',
      file: 'core-plugins/chat/loop/loop.ts',
      before: 'step.calls.filter((each) => !asking.includes(each))',
      after: 'step.calls.filter((each) => !waiting.includes(each))',
      tests: [asModel],
      why: 'An API key has calls with effects made that nobody confirmed.',
    },
    {
      name: 'chat-tool-without-permission',
      file: 'core-plugins/chat/loop/tool-set.ts',
      before: 'if (permission === undefined || caller.user.can(permission))',
      after: 'if (permission === undefined || caller.user.can !== undefined)',
      tests: [contributors],
      why: 'A user has done by an agent what the user may not.',
    },
    {
      name: 'chat-stored-for-nobody',
      file: 'core-plugins/chat/as-model/agent-models.ts',
      before: '    if (user.userId === 0) throw new ConversationNotFoundError()\n',
      after: '',
      tests: [asModel],
      why: 'Keys of nobody share conversations, which each of them reads.',
    },
    {
      name: 'chat-key-not-charged',
      file: 'core-plugins/chat/as-model/agent-models.ts',
      before: 'const caller = { principal: user, tenant, traceId, locale, keyId: key.id, tags }',
      after: 'const caller = { principal: user, tenant, traceId, locale, tags }',
      tests: [asModel],
      why: 'A key spends more than its quotas in conversations that are stored.',
    },
    {
      name: 'chat-readers-without-number',
      file: 'core-plugins/chat/runs/tail.ts',
      before: 'listeners.size >= mostReaders',
      after: 'listeners.size >= mostReaders * 1_000',
      tests: ['test/core-plugins/chat/readers.test.ts'],
      why: 'Streams that nobody bounds ask the database each second.',
    },
    {
      name: 'chat-model-told-in-errors',
      file: 'core-plugins/chat/runs/for-users.ts',
      before: 'return naming.has(error.reason) ?',
      after: "return naming.has('') ?",
      tests: [contributors],
      why: 'Users learn which model an agent is.',
    },
    {
      name: 'chat-thoughts-shown',
      file: 'core-plugins/chat/loop/loop.ts',
      before: "if (shows) listener.say('reasoning.delta', text)",
      after: "listener.say('reasoning.delta', text)",
      tests: ['test/core-plugins/chat/formats.test.ts'],
      why: 'Users read thoughts that their administrator hides, with the instructions in them.',
    },
    {
      name: 'chat-tried-as-the-platform',
      file: 'core-plugins/chat/unstored/routes.ts',
      before: "user: principal.scope === 'tenant' ? principal : nobodyOf(agent.tenantId)",
      after: 'user: principal',
      tests: [asModel],
      why: 'The platform’s rights are used in a tenant.',
    },
    {
      name: 'chat-summary-of-a-late-host',
      file: 'core-plugins/chat/compaction/snapshots.ts',
      before: 'findById(id).where({ builder }).forUpdate()',
      after: 'findById(id).forUpdate()',
      tests: ['test/core-plugins/chat/compaction.test.ts'],
      why: 'A host that was too slow writes over what another one made.',
    },
  ],
}
