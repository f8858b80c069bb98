import type { Principal } from '#kernel'
import { pluginsRolledBack } from '../contract.ts'
import type { Ending } from '../operations/endings.ts'
import { finishSteps, runSteps, undoSteps } from '../operations/run-steps.ts'
import { listDependants } from '../reading/plugin-facts.ts'
import type { ReleaseChangeNeeds } from './needs.ts'
import type { ReleaseStage } from './needs.ts'
import type { OperationKind, PluginRow } from '../shared/models.ts'
import type { RollbackRequest } from './choose-release.ts'
import { beginRollback } from './rollback.ts'
import { rollbackSteps } from './rollback-steps.ts'
import type { TurnedBack } from './turn-back.ts'

/** What is not to be waited for where no host can start the release that it brought. */
const overtaken: readonly OperationKind[] = ['enable', 'sync', 'repair', 'upgrade']

/** Leads a plugin back to an earlier release, with its tables as that release knows them; whatever fails, the one in use stays. */
export async function rollBack(
  parts: ReleaseChangeNeeds,
  { id, name }: Pick<PluginRow, 'id' | 'name'>,
  request: RollbackRequest,
  actor: Principal | null,
): Promise<void> {
  const { because, undoes } = request
  const automatic = because !== undefined
  const options = {
    automatic,
    reason: because?.words ?? null,
    data: request.data ?? null,
    ...(undoes && { undoes: undoes.operation }),
  }
  const about = { plugin: name, pluginId: id, kind: 'rollback' as const, actor: actor?.userId ?? null, options }
  const also = () => listDependants(parts.db, name)
  await parts.operations.run({ ...about, also, overtakes: overtaken }, async (operation) => {
    await using fetched = new AsyncDisposableStack()
    const stage = { parts, operation }
    const rollback = await beginRollback(stage, id, { request, actor, fetched })
    await runSteps(rollbackSteps, rollback)
    await tell(stage)
  })
}

/** What becomes of a rollback whose host died. */
export function endingOfRollbacks(parts: ReleaseChangeNeeds): Ending {
  return {
    async finish(operation) {
      await finishSteps(rollbackSteps, { parts, operation })
      await tell({ parts, operation })
    },
    abandon: (operation) => undoSteps(rollbackSteps, { parts, operation }),
  }
}

async function tell({ parts, operation }: ReleaseStage): Promise<void> {
  const { from, version, automatic } = operation.result<TurnedBack>('commit')
  await parts.emit(pluginsRolledBack, { name: operation.plugin, version, from, automatic })
}
