import { createLogger, readEnvironment, startFault, startKernel } from '#kernel'
import { setup } from './auth/contract.ts'
import { commandPlugins } from './command-plugins.ts'
import { describeSetup } from './first-run/present.ts'

try {
  const env = { ...readEnvironment(), port: 0, host: '127.0.0.1' }
  await using kernel = await startKernel({ env, plugins: commandPlugins, log: createLogger('error') })
  const platform = kernel.services.get(setup)
  if (await platform.isDone()) console.log('The platform has an administrator already.')
  else console.log(describeSetup((await platform.createSetupLink()).url))
} catch (error) {
  const line = startFault(error)
  if (line === undefined) throw error
  console.error(line)
  process.exit(1)
}
