import { saidOf, type Said } from '#kernel'
import { getRelease } from '../releases/release-archive.ts'
import { runHook } from '../running/run-hook.ts'
import { notStarted } from '../running/settle.ts'
import type { ReleaseStage } from '../rollbacks/needs.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import { texts } from '../texts/texts.ts'
import type { Switched } from './switch-over.ts'

/** Why the release cannot stay, or null. The hook is called at least once; its operation's id tells a repetition. */
export async function callUpgradeHook({ parts, operation }: ReleaseStage): Promise<Said | null> {
  const plugin = await getPlugin(parts.db, operation.plugin)
  if (plugin.status === 'broken') {
    return plugin.reason === null ? texts.keep('notice.cannot_be_loaded') : saidOf(plugin.reason, plugin.reasonSaid)
  }
  const { from, to } = operation.result<Switched>('switch')
  const { manifest } = await getRelease(parts.db, plugin.activeRelease)
  const result = await runHook(parts, operation.plugin, 'upgrade', operation.id, { from, to })
  if (result.isPassing) throw notStarted(operation.id, result.error ?? '')
  if (result.ok || manifest.upgrade?.onHookFailure === 'continue') return null
  return texts.keep('notice.upgrade_hook_failed', { why: { words: result.error ?? '' } })
}

/** What the step `hook` found against the release; undefined when it stays. */
export function findFault({ operation }: Pick<ReleaseStage, 'operation'>): Said | undefined {
  // An operation that an older version began recorded it as text.
  const fault = operation.result<Said | string | null | undefined>('hook') ?? undefined
  return typeof fault === 'string' ? { words: fault } : fault
}

/** Whether the release is taken back by whoever comes first. */
export function isGivenUp(stage: Pick<ReleaseStage, 'operation'>): boolean {
  return findFault(stage) !== undefined
}
