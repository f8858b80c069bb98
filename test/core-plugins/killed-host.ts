import type { EventEmitter } from 'node:events'
import { definePlugin, readEnvironment, startKernel } from '#kernel'
import { setup } from '../../core-plugins/auth/contract.ts'
import { corePlugins } from '../../core-plugins/index.ts'
import { pluginsProgressed } from '../../core-plugins/plugins/contract.ts'
import type { Trap } from './killed-trap.ts'

// A host in a process of its own that ends itself, or stops, at a moment of an operation that it is told of.
let trap: Trap | undefined
let isReached = false
/** The transaction that records the step. */
let recording: unknown

/** Words of a query of knex, and the transaction it belongs to. */
interface Query {
  readonly sql: string
  readonly __knexTxId?: string
}

function spring(): void {
  if (!trap) return
  const { signal } = trap
  trap = undefined
  isReached = false
  recording = undefined
  process.kill(process.pid, signal)
}

const witness = definePlugin({
  name: 'killed',
  version: '1.0.0',
  title: { default: 'Killed' },
  description: { default: 'Ends its host at a step' },
  needs: {},
  setup(scope) {
    scope.on(pluginsProgressed, ({ plugin, kind, step }) => {
      if (plugin !== trap?.plugin || kind !== trap.kind || step !== trap.step) return
      if (trap.when === 'begin') spring()
      else isReached = true
    })
  },
})

const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: [...corePlugins.filter(({ name }) => name !== 'first_run'), witness],
  namespace: process.env['NAMESPACE'] ?? '',
})
const client = kernel.database.knex.client as EventEmitter
client.on('query', ({ sql, __knexTxId: transaction }: Query) => {
  if (!isReached) return
  if (/update "plugin_operations" set "steps" = steps/.test(sql)) recording = transaction
  if (recording === undefined) return
  const isCommit = transaction === recording && /^COMMIT/i.test(sql)
  if (trap?.when === 'inside' ? isCommit : /^update "plugin_operations" set "(step|state)"/.test(sql)) spring()
})
const platform = kernel.services.get(setup)
const credentials = { email: process.env['ADMIN_EMAIL'] ?? '', password: process.env['ADMIN_PASSWORD'] ?? '' }
if (!(await platform.isDone())) await platform.createAdmin(credentials)
// Nobody is left to end it.
process.on('disconnect', () => process.exit(1))
process.on('message', (message: Trap) => {
  trap = message
  isReached = false
  recording = undefined
  process.send?.('set')
})
process.stdout.write(`\nlistening at ${kernel.url}\n`)
