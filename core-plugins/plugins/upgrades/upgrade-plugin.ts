import { AppError, type Principal } from '#kernel'
import type { UpgradeTarget } from '../consent/upgrade-target.ts'
import { runSteps } from '../operations/run-steps.ts'
import { listDependants } from '../reading/plugin-facts.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { UpgradeUndoneError } from '../shared/errors.ts'
import type { PluginRow } from '../shared/models.ts'
import { endUpgrade } from './end-upgrade.ts'
import { seeUndone } from './see-undone.ts'
import { beginUpgrade, type UpgradeRequest } from './upgrade.ts'
import { upgradeSteps } from './upgrade-steps.ts'

/** Puts a newer release in the place of the active one; one that asks for more waits for a consent, while the active one runs on. */
export async function upgradePlugin(
  parts: ReleaseChangeNeeds,
  { id: pluginId, name }: Pick<PluginRow, 'id' | 'name'>,
  target: UpgradeTarget,
  request: UpgradeRequest,
  actor: Principal,
): Promise<void> {
  const { force = false, unpin = false, lowerTrust = false } = request
  const options = { force, unpin, lower_trust: lowerTrust }
  const about = { plugin: name, pluginId, kind: 'upgrade' as const, actor: actor.userId, options }
  const also = await listDependants(parts.db, name)
  await parts.operations
    .run({ ...about, also }, async (operation) => {
      const stage = { parts, operation }
      await runSteps(upgradeSteps, await beginUpgrade(stage, pluginId, { target, request, actor }))
      await endUpgrade(stage)
    })
    .catch(async (error: unknown) => {
      if (isUndone(error)) await seeUndone(parts, String(error.details?.['operation_id']))
      throw error
    })
}

/** Also where another host recorded it. */
function isUndone(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === UpgradeUndoneError.reason
}
