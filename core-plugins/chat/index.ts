import path from 'node:path'
import { definePlugin } from '#kernel'
import { agentAsker, chatContributors, chatConversations } from './contract.ts'
import { groups } from './declared/groups.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupChat } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'chat',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  config: groups,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [agentAsker, chatContributors, chatConversations],
  setup: setupChat,
})
