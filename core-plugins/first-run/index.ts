import path from 'node:path'
import { definePlugin } from '#kernel'
import { announcement } from './contract.ts'
import { needs } from './needs.ts'
import { setupFirstRun } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'first_run',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [announcement],
  setup: setupFirstRun,
})
