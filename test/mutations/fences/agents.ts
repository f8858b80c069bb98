import type { Fence } from '../mutation.ts'

const agents = 'test/core-plugins/agents/agents.test.ts'
const chat = 'test/core-plugins/chat/chat.test.ts'

/** An agent is for whom it was made, as somebody looked at it. */
export const aiAgents: Fence = {
  name: 'agents',
  mutations: [
    {
      name: 'agents-for-everybody',
      file: 'core-plugins/agents/user/directory.ts',
      before: "(access_mode = 'all' or",
      after: "(access_mode in ('all', 'restricted') or",
      tests: [agents],
      why: 'Agents for a few are everybody’s.',
    },
    {
      name: 'agents-asked-without-the-right',
      file: 'core-plugins/agents/user/directory.ts',
      before: 'if (!user.can(permission)) throw',
      after: 'if (!permission) throw',
      tests: ['test/core-plugins/chat/as-model.test.ts'],
      why: 'A key asks agents that its user may not.',
    },
    {
      name: 'agents-published-unseen',
      file: 'core-plugins/agents/admin/publishing.ts',
      before:
        '      writer.requireMatch(String(row.revision))\n      const before = presentAgent(row, await publishedOf(row, trx))\n      const versions',
      after: '      const before = presentAgent(row, await publishedOf(row, trx))\n      const versions',
      tests: [agents],
      why: 'Instructions go live that somebody wrote after they were looked at.',
    },
    {
      name: 'agents-unpublished-unseen',
      file: 'core-plugins/agents/admin/publishing.ts',
      before: '      writer.requireMatch(String(row.revision))\n      if (row.status',
      after: '      if (row.status',
      tests: [agents],
      why: 'An agent is taken back that is another one by now.',
    },
    {
      name: 'agents-use-of-anybody',
      file: 'core-plugins/agents/user/directory.ts',
      before: '      .where({ user_id: user.userId })\n',
      after: '',
      tests: [chat],
      why: 'Users see when colleagues asked an agent.',
    },
    {
      name: 'agents-published-by-writers',
      file: 'core-plugins/agents/admin/routes.ts',
      before: "or go back to an earlier one',\n      permission: may('publish')",
      after: "or go back to an earlier one',\n      permission: may('update')",
      tests: [agents],
      why: 'Who may only write drafts puts them before users.',
    },
    {
      name: 'agents-published-untold',
      file: 'core-plugins/agents/admin/publishing.ts',
      before:
        "      await recordAgent(audit, kept ? 'rolled_back' : 'published', writer, id, { before, after }, trx)\n",
      after: '',
      tests: [agents],
      why: 'Nobody sees who put an agent before users.',
    },
    {
      name: 'agents-use-of-a-deleted-user',
      file: 'core-plugins/agents/setup.ts',
      before: 'forgetUser(db, tenantId, userId)',
      after: 'forgetUser(db, tenantId, -userId)',
      tests: [chat],
      why: 'What a user did outlives the user.',
    },
  ],
}
