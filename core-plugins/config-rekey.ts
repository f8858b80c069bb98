import { createLogger, kernelSealedColumns, readEnvironment, rotateSecrets, startFault, startKernel } from '#kernel'
import { presentRotation } from './config/rotation/present-rotation.ts'
import { corePlugins } from './index.ts'

try {
  const env = { ...readEnvironment(), port: 0, host: '127.0.0.1' }
  // Nothing but the database: hosts may serve meanwhile.
  await using kernel = await startKernel({ env, plugins: [], log: createLogger('error') })
  const columns = [...kernelSealedColumns, ...corePlugins.flatMap(({ sealed = [] }) => sealed)]
  const { fernetKeys } = env
  const { lines, isComplete } = presentRotation(await rotateSecrets({ db: kernel.database.knex, fernetKeys, columns }))
  console.log(lines.join('\n'))
  if (!isComplete) process.exitCode = 1
} catch (error) {
  const line = startFault(error)
  if (line === undefined) throw error
  console.error(line)
  process.exit(1)
}
