import path from 'node:path'
import { definePlugin } from '#kernel'
import { jobs } from './contract.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupJobs } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'jobs',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  // What is put into payloads sealed.
  sealed: [{ table: 'jobs', column: 'payload' }],
  needs,
  provides: [jobs],
  setup: setupJobs,
})
