import { PluginNotFoundError } from '../shared/errors.ts'
import { findStray } from '../repairs/list-strays.ts'
import type { PluginRow } from '../shared/models.ts'
import type { RemainsNeeds } from './needs.ts'
import { planUninstall } from './uninstall-plan.ts'

/**
 * What a force-cleanup would do, without doing any of it; of a plugin without a row, what lies about of it.
 * Throws 404/4046 when there is neither.
 */
export async function planCleanup(parts: RemainsNeeds, name: string, plugin: PluginRow | undefined) {
  if (!plugin) {
    const found = await findStray(parts, name)
    if (!found) throw new PluginNotFoundError()
    return { plugin: name, is_blocked: false, blocked_by: [], found }
  }
  const plan = await planUninstall(parts, plugin)
  // Who needs the plugin is told and does not stop it, and its code does not run.
  const steps = plan.steps.map((step) => (step.step === 'hook' ? { step: 'hook', affects: { hook: null } } : step))
  return { ...plan, is_blocked: false, steps }
}
