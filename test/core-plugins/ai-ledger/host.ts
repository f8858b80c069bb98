import { readEnvironment, startKernel } from '#kernel'
import { aiLedger } from '../../../core-plugins/ai-ledger/contract.ts'
import { holdOf, ledgerPlugins, wishOf } from './world.ts'

/** A host in a process of its own that holds five calls, of which one has made 4 tokens, and one of a lease, and never ends them. */
const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: ledgerPlugins,
  namespace: process.env['NAMESPACE'] ?? '',
})
const ledger = kernel.services.get(aiLedger)
for (let n = 0; n < 5; n++) {
  const hold = await holdOf(ledger, wishOf({ list: { costNano: 10n, inputCostNano: 6n } }))
  if (n === 0) hold.progress(4)
}
const busy = () => holdOf(ledger, wishOf({ spender: { tenantId: 14 } }))
const hasLease = async (): Promise<boolean> =>
  Boolean(await kernel.database.knex('ai_quota_leases').queryContext({ tenant: 14 }).first('id'))
while (!(await hasLease())) for (let n = 0; n < 25; n++) (await busy()).end([])
await busy()
process.stdout.write('held\n')
