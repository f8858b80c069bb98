import { createLogger, readEnvironment, startFault, startKernel } from '#kernel'
import { consoleBuild } from './console/contract.ts'
import { announcement } from './first-run/contract.ts'
import { corePlugins } from './index.ts'

/** How long a stop may take before the process ends itself: the drain of 10 s and some room, within the 30 s that an operator usually gives. */
const stopMilliseconds = 25_000

try {
  await run()
} catch (error) {
  const line = startFault(error)
  if (line === undefined) throw error
  console.error(line)
  // What a start that gave up still waits for would hold the process.
  process.exit(1)
}

async function run(): Promise<void> {
  const env = readEnvironment()
  const log = createLogger(env.logLevel)
  const stop = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.resolve(signal)
      // Also where it comes in the middle of a start.
      setTimeout(() => process.exit(1), stopMilliseconds).unref()
    })
  }
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise was rejected and nobody listened'))
  const kernel = await startKernel({ env, plugins: corePlugins, isWhole: true, log })
  console.log(kernel.services.get(announcement).text)
  // Beside a platform that answers already: nobody waits for it but who opens the console.
  void kernel.services.get(consoleBuild).bringUpToDate()
  log.info({ signal: await stop.promise }, 'stopping')
  await kernel[Symbol.asyncDispose]()
}
