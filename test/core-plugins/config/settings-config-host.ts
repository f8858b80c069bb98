import { readEnvironment, startKernel } from '#kernel'
import { plugins } from '../../support/configuration.ts'
import { followerOf } from './settings-config-follower.ts'

/** A host in a process of its own that says where it answers, and never ends the second effect of a write. */
const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: [...plugins, followerOf(true)],
  namespace: process.env['NAMESPACE'] ?? '',
})
process.stdout.write(`${kernel.url}\n`)
