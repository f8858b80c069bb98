import type { Principal } from '#kernel'
import type { IncomingRelease } from '../contract-packages.ts'
import { pluginsRolledBack } from '../contract.ts'
import type { Ending } from '../operations/endings.ts'
import type { Operation } from '../operations/operation.ts'
import { finishSteps, runSteps, undoSteps } from '../operations/run-steps.ts'
import { listDependants } from '../reading/plugin-facts.ts'
import { bringRelease } from '../releases/bring-release.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { ReleaseChangeNeeds, ReleaseStage } from './needs.ts'
import type { PluginRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import { findFetching, type Fetching, type RollbackRequest } from './choose-release.ts'
import { beginRollback, requireSteady } from './rollback.ts'
import { rollbackSteps } from './rollback-steps.ts'
import type { TurnedBack } from './turn-back.ts'

/** The steps that bring its package here; `verify` is what a rollback does to the backup that it restores. */
const bringingBackSteps = ['download', 'verify_package'] as const

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
  await using fetched = new AsyncDisposableStack()
  let fetching = await findComing(parts, id, request, actor)
  const bring = async (operation: Operation, signal: AbortSignal): Promise<void> => {
    if (fetching) fetching.incoming = await bringBack(operation, fetching, fetched, signal)
  }
  const asked = { ...about, also, overtakes: overtaken, ...(fetching?.isHere === false && { bring }) }
  await parts.operations.run(asked, async (operation) => {
    const stage = { parts, operation }
    // What was kept a moment ago may have been pruned before this had the lock.
    if (!fetching?.incoming) fetching = await findComing(parts, id, request, actor)
    if (fetching && !fetching.isHere && !fetching.incoming) await bring(operation, operation.signal)
    const rollback = await beginRollback(stage, id, { request, actor, fetching })
    await runSteps(rollbackSteps, rollback)
    await tell(stage)
  })
}

/** Nobody waits for a package that would be refused; all of it is looked at again once it is there. */
async function findComing(
  parts: ReleaseChangeNeeds,
  pluginId: number,
  request: RollbackRequest,
  actor: Principal | null,
): Promise<Fetching | undefined> {
  const plugin = await getPlugin(parts.db, String(pluginId))
  const fetching = await findFetching(parts, plugin, request, actor)
  if (fetching) requireSteady(plugin)
  return fetching
}

/** A release that is not kept here comes as the first steps. */
async function bringBack(
  operation: Operation,
  { offered }: Fetching,
  fetched: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<IncomingRelease> {
  await operation.describe({ toRelease: offered.version })
  operation.follow([...bringingBackSteps, ...rollbackSteps.map(({ name }) => name)])
  return bringRelease(operation, offered, fetched, signal, bringingBackSteps)
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
