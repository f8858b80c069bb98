import { createLogger, readEnvironment, startKernel, StartError } from '#kernel'
import { secretRotation } from './config/contract.ts'
import { corePlugins } from './index.ts'

/** Plugins that belong to a host that serves; a command line that runs beside it leaves them out. */
const serving = new Set(['system', 'plugins', 'first_run'])

try {
  const env = { ...readEnvironment(), port: 0, host: '127.0.0.1' }
  const plugins = corePlugins.filter(({ name }) => !serving.has(name))
  await using kernel = await startKernel({ env, plugins, log: createLogger('error') })
  const { resealed, current, unreadable } = await kernel.services.get(secretRotation).run()
  console.log(`Secrets of the configuration: ${resealed} resealed, ${current} current, ${unreadable} unreadable.`)
  if (unreadable > 0) {
    console.error('A key that sealed the unreadable ones is missing from CONFIG_FERNET_KEYS.')
    process.exitCode = 1
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
