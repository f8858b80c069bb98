import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. Chatting itself is `user_agent:chat`. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'user_conversation',
    scope: 'USER',
    actions: {
      list: 'List one’s own conversations',
      detail: 'Read one’s own conversations',
      update: 'Name, pin, archive and share one’s own conversations, and judge answers',
      delete: 'Delete one’s own conversations',
    },
  },
]
