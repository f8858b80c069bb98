import { AppError, type Principal } from '#kernel'
import { incomingTarget, type UpgradeTarget } from '../consent/upgrade-target.ts'
import type { OfferedRelease } from '../contract-packages.ts'
import type { Operation } from '../operations/operation.ts'
import { runSteps } from '../operations/run-steps.ts'
import { listDependants } from '../reading/plugin-facts.ts'
import { bringRelease, bringingSteps } from '../releases/bring-release.ts'
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
  wanted: UpgradeTarget | OfferedRelease,
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
      await using fetched = new AsyncDisposableStack()
      const target = 'download' in wanted ? await bring(operation, wanted, fetched) : wanted
      await runSteps(upgradeSteps, await beginUpgrade(stage, pluginId, { target, request, actor }))
      await endUpgrade(stage)
    })
    .catch(async (error: unknown) => {
      if (isUndone(error)) await seeUndone(parts, String(error.details?.['operation_id']))
      throw error
    })
}

/** A package that is still at its source comes as the first steps. */
async function bring(
  operation: Operation,
  offered: OfferedRelease,
  fetched: AsyncDisposableStack,
): Promise<UpgradeTarget> {
  await operation.describe({ toRelease: offered.version })
  operation.follow([...bringingSteps, ...upgradeSteps.map(({ name }) => name)])
  return incomingTarget(await bringRelease(operation, offered, fetched))
}

/** Also where another host recorded it. */
function isUndone(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === UpgradeUndoneError.reason
}
