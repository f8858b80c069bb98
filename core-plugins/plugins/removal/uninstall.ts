import type { Principal } from '#kernel'
import { pluginsUninstalled } from '../contract.ts'
import { PluginRow, ReleaseRow, type OperationRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { RemovalNeeds } from './needs.ts'
import { cleanupSteps } from './cleanup-steps.ts'
import type { CleanupTarget } from '../shared/cleanup-target.ts'
import { tell } from '../operations/tell.ts'

/** What an uninstall is told. */
interface UninstallOptions {
  /** No final backup. */
  readonly purge: boolean
  /** No code of the plugin runs: for one that cannot. */
  readonly force: boolean
}

/** Removes a plugin in 14 recorded steps, each safe to repeat; one that stopped midway goes on at its step. Answers the operation's id, under which they can be read. */
export async function uninstallPlugin(
  parts: RemovalNeeds,
  plugin: { readonly id: number | null; readonly name: string },
  { purge, force }: UninstallOptions,
  actor: Principal,
): Promise<string> {
  const kind = force ? ('force_cleanup' as const) : ('uninstall' as const)
  const isSame = (row: OperationRow) => row.kind === kind && row.options['purge'] === purge && row.committed
  const resumed = await parts.operations.resume(plugin.name, isSame)
  if (resumed) return resumed.id
  const request = {
    plugin: plugin.name,
    ...(plugin.id !== null && { pluginId: plugin.id }),
    kind,
    actor: actor.userId,
    supersedes: true,
    options: { purge, plugin_id: plugin.id },
  }
  const { id } = await parts.operations.run(request, (operation) => finishUninstall(parts, operation, actor))
  return id
}

/** Does the steps that are not done yet. */
export async function finishUninstall(
  parts: RemovalNeeds,
  operation: Operation,
  actor: Principal | null,
): Promise<void> {
  const target = await describeTarget(parts, operation)
  if (target.version !== undefined) await operation.describe({ fromRelease: target.version })
  operation.follow(cleanupSteps.map(({ name }) => name))
  for (const { name, run } of cleanupSteps) {
    await operation.step(name, () => run({ parts, operation, target, actor }))
  }
  await parts.access.invalidate('all')
  await tell(parts, operation, pluginsUninstalled, { name: target.name, version: target.version ?? '' })
}

async function describeTarget({ db }: Pick<RemovalNeeds, 'db'>, operation: Operation): Promise<CleanupTarget> {
  const { plugin: name, kind, options, fromRelease } = operation
  const row = await PluginRow.with(db).findOne({ name })
  const release = row && (await ReleaseRow.with(db).findById(row.activeRelease))
  return {
    name,
    id: row?.id ?? (options['plugin_id'] as number | null | undefined) ?? null,
    version: release?.version ?? fromRelease ?? undefined,
    manifest: release?.manifest,
    purge: options['purge'] === true,
    isForced: kind === 'force_cleanup',
  }
}
