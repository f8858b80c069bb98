import { createLogger, readEnvironment, startKernel } from '#kernel'
import { corePlugins } from '../../core-plugins/index.ts'
import { bench } from './bench-plugin.ts'

// A whole host with one more core plugin.
const env = readEnvironment()
const kernel = await startKernel({ env, plugins: [...corePlugins, bench], log: createLogger('warn') })
process.once('SIGTERM', () => void kernel[Symbol.asyncDispose]())
