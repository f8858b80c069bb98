import { createLogger, readEnvironment, startFault, startKernel } from '#kernel'
import { setup } from './auth/contract.ts'
import { describeSetup } from './first-run/present.ts'
import { corePlugins } from './index.ts'

/** Plugins that belong to a host that serves; a command line that runs beside it leaves them out. */
const serving = new Set(['system', 'jobs', 'plugins', 'first_run'])

try {
  const env = { ...readEnvironment(), port: 0, host: '127.0.0.1' }
  const plugins = corePlugins.filter(({ name }) => !serving.has(name))
  await using kernel = await startKernel({ env, plugins, log: createLogger('error') })
  const platform = kernel.services.get(setup)
  if (await platform.isDone()) console.log('The platform has an administrator already.')
  else console.log(describeSetup((await platform.createSetupLink()).token, env))
} catch (error) {
  const line = startFault(error)
  if (line === undefined) throw error
  console.error(line)
  process.exit(1)
}
