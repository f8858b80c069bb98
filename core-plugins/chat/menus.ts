import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'user_chat', title: texts.of('user_chat'), area: 'user', type: 'menu', path: '/chat' },
    ...{ component: 'user/chat/index', icon: 'message-circle', permission: 'user_agent:chat', sort: 10 },
  },
  {
    ...{ name: 'user_conversations', title: texts.of('user_conversations'), area: 'user', type: 'menu' },
    ...{ path: '/conversations', component: 'user/conversations/index', icon: 'messages-square' },
    ...{ permission: 'user_conversation:list', sort: 20 },
  },
]
