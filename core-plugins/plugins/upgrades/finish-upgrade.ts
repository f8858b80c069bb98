import { pluginsConsentWanted, pluginsUpgraded } from '../contract.ts'
import { UpgradeUndoneError } from '../errors.ts'
import { getPlugin } from '../lifecycle/find-plugin.ts'
import { runHook } from '../lifecycle/run-hook.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import { notStarted, settleRunning } from '../running/settle.ts'
import { pruneReleases } from './prune-releases.ts'
import { doom } from './watches.ts'

/** What the one transaction of an upgrade did. */
export interface Switched {
  readonly generation: number
  readonly from: string
  readonly to: string
  /** The migrations that were applied. */
  readonly migrations: readonly string[]
}

/**
 * What is left to do once a newer release is active, or waits for a consent. Throws 500/5008 when the release cannot stay, which
 * is the end of the upgrade: it is given up, and taken back by whoever comes first.
 */
export async function finishUpgrade(parts: Parts, operation: Operation): Promise<void> {
  const switched = operation.result<Switched | undefined>('switch')
  const asked = operation.result<{ readonly version: string } | undefined>('ask')
  if (asked) await parts.emit(pluginsConsentWanted, { name: operation.plugin, version: asked.version })
  if (!switched) return
  await operation.step('converge', () => settleRunning(parts, operation, switched.generation))
  // Owners of tenants hold the permissions of what is assigned to them and runs.
  await parts.access.invalidate('all')
  const fault = await operation.step('hook', () => callHook(parts, operation, switched))
  if (fault !== null) {
    await operation.change('doom', (trx) => doom(trx, operation, fault))
    throw new UpgradeUndoneError({ version: switched.from, why: fault }, { details: { operation_id: operation.id } })
  }
  await operation.step('prune', () => pruneReleases(parts, operation))
  const { from, to } = switched
  await parts.emit(pluginsUpgraded, { name: operation.plugin, from, to })
}

/** Why the release cannot stay, or null. The hook is called at least once; its operation's id tells a repetition. */
async function callHook(parts: Parts, operation: Operation, { from, to }: Switched): Promise<string | null> {
  const plugin = await getPlugin(parts.db, operation.plugin)
  if (plugin.status === 'broken') return plugin.reason ?? 'It cannot be loaded'
  const { manifest } = await getRelease(parts.db, plugin.activeRelease)
  const result = await runHook(parts, operation.plugin, 'upgrade', operation.id, { from, to })
  if (result.isPassing) throw notStarted(operation.id, result.error ?? '')
  if (result.ok || manifest.upgrade?.onHookFailure === 'continue') return null
  return `Its upgrade hook failed: ${result.error ?? ''}`
}
