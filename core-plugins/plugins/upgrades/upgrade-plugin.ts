import { AppError, type Principal } from '#kernel'
import { requireFree } from '../consent/require-upgradable.ts'
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
import { beginUpgrade, mayMovePin, type UpgradeRequest } from './upgrade.ts'
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
  const also = () => listDependants(parts.db, name)
  await using fetched = new AsyncDisposableStack()
  let target = 'download' in wanted ? undefined : wanted
  if ('download' in wanted) {
    // Nobody waits for a package that would be refused; all of it is looked at again once it is there.
    await requireFree(parts.db, pluginId, wanted, mayMovePin(request))
  }
  const bring = async (operation: Operation, signal: AbortSignal): Promise<void> => {
    if ('download' in wanted) target = await bringTarget(operation, wanted, fetched, signal)
  }
  await parts.operations
    .run({ ...about, also, ...('download' in wanted && { bring }) }, async (operation) => {
      const stage = { parts, operation }
      if (!target) throw new Error('A package is there before its upgrade begins')
      await runSteps(upgradeSteps, await beginUpgrade(stage, pluginId, { target, request, actor }))
      await endUpgrade(stage)
    })
    .catch(async (error: unknown) => {
      if (isUndone(error)) await seeUndone(parts, String(error.details?.['operation_id']))
      throw error
    })
}

/** A package that is still at its source comes as the first steps. */
async function bringTarget(
  operation: Operation,
  offered: OfferedRelease,
  fetched: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<UpgradeTarget> {
  await operation.describe({ toRelease: offered.version })
  operation.follow([...bringingSteps, ...upgradeSteps.map(({ name }) => name)])
  return incomingTarget(await bringRelease(operation, offered, fetched, signal))
}

/** Also where another host recorded it. */
function isUndone(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === UpgradeUndoneError.reason
}
