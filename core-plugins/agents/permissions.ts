import type { PermissionDeclaration } from '#kernel'

const actions = {
  list: 'List AI agents',
  detail: 'Read an AI agent with its instructions and versions, and which tools there are',
  create: 'Add AI agents, also copies and imported ones',
  update: 'Change drafts of AI agents, and who may use them',
  publish: 'Publish AI agents, go back to an earlier version, and take them back',
  delete: 'Delete AI agents',
}

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'ai_agent', scope: 'ADMIN', actions },
  { resource: 'tenant_agent', scope: 'TENANT', actions },
  {
    resource: 'user_agent',
    scope: 'USER',
    actions: { list: 'List the AI agents that one may use', chat: 'Chat with AI agents' },
  },
]
