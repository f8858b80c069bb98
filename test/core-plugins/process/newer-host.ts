import { definePlugin, readEnvironment, startKernel } from '#kernel'
import { corePlugins } from '../../../core-plugins/index.ts'

// A host of the next version, in a process of its own: the folders of its migrations hold more than this version knows.
const { USERS_MIGRATIONS, FUTURE_MIGRATIONS, REDIS_NAMESPACE } = process.env
if (!USERS_MIGRATIONS || !FUTURE_MIGRATIONS) throw new Error('the folders of the migrations are missing')

const ofTheFuture = definePlugin({
  name: 'of_the_future',
  version: '1.0.0',
  title: { default: 'Of the future' },
  description: { default: 'A core plugin that the version before does not have' },
  migrations: FUTURE_MIGRATIONS,
  setup: () => undefined,
})

const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: [
    ...corePlugins.map((plugin) => (plugin.name === 'users' ? { ...plugin, migrations: USERS_MIGRATIONS } : plugin)),
    ofTheFuture,
  ],
  isWhole: true,
  ...(REDIS_NAMESPACE !== undefined && { namespace: REDIS_NAMESPACE }),
})
// Nobody is left to end it.
process.on('disconnect', () => process.exit(1))
process.stdout.write(`\nlistening at ${kernel.url}\n`)
