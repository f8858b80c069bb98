import { createLogger, definePlugin, defineRoute, readEnvironment, startKernel } from '#kernel'
import { corePlugins } from '../../core-plugins/index.ts'

// A whole host with one more core plugin: the handler of the benched plugin, called without a sandbox.
const echo = defineRoute({
  method: 'post',
  path: '/tenant/bench/echo',
  summary: 'Echoes a text without a sandbox',
  auth: 'tenant',
  permission: 'tenant_bench:echo',
  schema: { body: { type: 'object' } },
  handler: ({ body }) => {
    const { text } = body as { text: string }
    return { echoed: text, length: text.length }
  },
})

const bench = definePlugin({
  name: 'bench',
  version: '1.0.0',
  title: { default: 'Bench' },
  description: { default: 'The benched handler without a sandbox' },
  permissions: [{ resource: 'tenant_bench', scope: 'TENANT', actions: { echo: 'Echo a text' } }],
  setup: (scope) => scope.route(echo),
})

const env = readEnvironment()
const kernel = await startKernel({ env, plugins: [...corePlugins, bench], log: createLogger('warn') })
process.once('SIGTERM', () => void kernel[Symbol.asyncDispose]())
