import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'
import { LeftOut } from '../ui/left-out.ts'
import type { UpgradePlan } from './wire.ts'

/**
 * Throws why an upgrade is not done as one of many: others would lose a service without a word, or more is asked for. With `mayAsk` the latter
 * passes: whoever reads what is asked for is told of the others too.
 */
export async function requireQuiet(name: string, version: string, { mayAsk = false } = {}): Promise<void> {
  const query = { dry_run: true }
  const { consent, leaves_without: left } = await call<UpgradePlan>('POST', `/admin/plugins/${name}/upgrade`, {
    query,
    body: { version },
  })
  if (consent && mayAsk) return
  if (left.length > 0) throw new LeftOut(say('plugins.leavesWithout', { plugins: left.join(', ') }))
  if (consent) throw new LeftOut(say('plugins.asksByItself'))
}
