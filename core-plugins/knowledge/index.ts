import path from 'node:path'
import { definePlugin } from '#kernel'
import { knowledgeLibrary, knowledgeRetrieval } from './contract.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { setupKnowledge } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'knowledge',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [knowledgeLibrary, knowledgeRetrieval],
  setup: setupKnowledge,
})
