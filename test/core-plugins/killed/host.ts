import { definePlugin, readEnvironment, startKernel } from '#kernel'
import { setup } from '../../../core-plugins/auth/contract.ts'
import { corePlugins } from '../../../core-plugins/index.ts'
import { pluginsProgressed } from '../../../core-plugins/plugins/contract.ts'
import { Ambush, type Sent } from './ambush.ts'
import type { Trap } from './trap.ts'

// A host in a process of its own that is halted at moments of operations that it is told of.
const ambushes = new Set<Ambush>()

async function spring(ambush: Ambush): Promise<void> {
  ambushes.delete(ambush)
  const { plugin, halt } = ambush.trap
  if (halt === 'SIGSTOP') return void process.kill(process.pid, halt)
  process.send?.({ reached: plugin })
  await new Promise(() => undefined)
}

const witness = definePlugin({
  name: 'killed',
  version: '1.0.0',
  title: { default: 'Killed' },
  description: { default: 'Halts its host at a step' },
  needs: {},
  setup(scope) {
    scope.on(pluginsProgressed, async (payload) => {
      for (const ambush of ambushes) if (ambush.isAtStep(payload)) await spring(ambush)
    })
  },
})

const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: [...corePlugins.filter(({ name }) => name !== 'first_run'), witness],
  namespace: process.env['NAMESPACE'] ?? '',
  // Each moment in the middle of something holds a connection.
  poolSize: 40,
})
watchQueries(kernel.database.knex.client as KnexClient)
const platform = kernel.services.get(setup)
const credentials = { email: process.env['ADMIN_EMAIL'] ?? '', password: process.env['ADMIN_PASSWORD'] ?? '' }
// Of hosts that start side by side one is first.
if (process.env['ADMIN_EMAIL'] && !(await platform.isDone())) await platform.createAdmin(credentials)
// Nobody is left to end it.
process.on('disconnect', () => process.exit(1))
process.on('message', (traps: readonly Trap[]) => {
  ambushes.clear()
  for (const trap of traps) ambushes.add(new Ambush(trap))
  process.send?.('set')
})
process.stdout.write(`\nlistening at ${kernel.url}\n`)

type Query = (connection: object, query: Omit<Sent, 'transaction'>) => Promise<unknown>

interface KnexClient {
  readonly constructor: { readonly prototype: { _query: Query } }
}

/** The clients of transactions, and of the pools of plugins, have nothing but knex's own prototype in common with the one of the pool. */
function watchQueries({ constructor }: KnexClient): void {
  const prototype = Object.getPrototypeOf(constructor.prototype) as KnexClient['constructor']['prototype']
  const send = prototype._query
  prototype._query = async function (connection, query) {
    // Knex's own name of a transaction is gone from its connection once a savepoint in it was released.
    const sent = { ...query, transaction: connection }
    for (const ambush of ambushes) if (ambush.isAtQuery(sent)) await spring(ambush)
    return send.call(this, connection, query)
  }
}
