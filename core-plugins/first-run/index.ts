import path from 'node:path'
import { definePlugin } from '#kernel'
import { setup, setupCompleted } from '../auth/contract.ts'
import { demoSeed } from '../tenants/contract.ts'
import { announcement } from './contract.ts'
import { forgetFirstRun, runFirst } from './service.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'first_run',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { setup, demoSeed },
  provides: [announcement],
  async setup(scope, needs) {
    scope.on(setupCompleted, () => forgetFirstRun(scope.env), 'every-host')
    // Here and not when the kernel has started: what goes wrong now ends the start with its reason.
    scope.provide(announcement, { text: await runFirst(scope, needs) })
  },
})
