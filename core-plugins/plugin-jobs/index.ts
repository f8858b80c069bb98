import path from 'node:path'
import { definePlugin } from '#kernel'
import { needs } from './needs.ts'
import { setupPluginJobs } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'plugin_jobs',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  setup: setupPluginJobs,
})
