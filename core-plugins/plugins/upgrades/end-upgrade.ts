import type { Asked } from '../consent/ask-consent.ts'
import { pluginsConsentWanted, pluginsUpgraded } from '../contract.ts'
import type { Ending } from '../operations/endings.ts'
import { finishSteps, undoSteps } from '../operations/run-steps.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import type { ReleaseStage } from '../rollbacks/needs.ts'
import { UpgradeUndoneError } from '../shared/errors.ts'
import { findFault } from './call-upgrade-hook.ts'
import type { Switched } from './switch-over.ts'
import { upgradeSteps } from './upgrade-steps.ts'

/** What becomes of an upgrade whose host died. */
export function endingOfUpgrades(parts: ReleaseChangeNeeds): Ending {
  return {
    async finish(operation) {
      await finishSteps(upgradeSteps, { parts, operation })
      await endUpgrade({ parts, operation })
    },
    abandon: (operation) => undoSteps(upgradeSteps, { parts, operation }),
  }
}

/**
 * Tells what an upgrade came to. Throws 500/5008 when the release cannot stay, which is the end of the upgrade: it is given up, and
 * taken back by whoever comes first.
 */
export async function endUpgrade(stage: ReleaseStage): Promise<void> {
  const { parts, operation } = stage
  const { id, plugin: name } = operation
  const asked = operation.result<Asked | undefined>('ask')
  if (asked) await parts.emit(pluginsConsentWanted, { name, version: asked.version })
  if (!operation.result('switch')) return
  const { from, to } = operation.result<Switched>('switch')
  const why = findFault(stage)
  if (why !== undefined) throw new UpgradeUndoneError({ version: from, why }, { details: { operation_id: id } })
  await parts.emit(pluginsUpgraded, { name, from, to })
}
