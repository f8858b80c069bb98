import { readEnvironment, startKernel } from '#kernel'
import { corePlugins } from '../../../core-plugins/index.ts'

/** A host in a process of its own: says where it listens and lives until it is killed. */
const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: corePlugins.filter(({ name }) => name !== 'first_run'),
  namespace: process.env['NAMESPACE'] ?? '',
})
process.stdout.write(`\nlistening at ${kernel.url}\n`)
