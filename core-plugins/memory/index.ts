import path from 'node:path'
import { definePlugin } from '#kernel'
import { groups } from './declared/groups.ts'
import { needs } from './needs.ts'
import { setupMemory } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'memory',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  config: groups,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  setup: setupMemory,
})
