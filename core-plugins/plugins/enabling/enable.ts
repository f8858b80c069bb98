import { saidOf, type Principal } from '#kernel'
import { pluginsDisabled, pluginsEnabled } from '../contract.ts'
import { PluginBrokenError, PluginStatusError } from '../shared/errors.ts'
import type { PluginRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import type { Operation } from '../operations/operation.ts'
import type { ConsentNeeds } from '../consent/needs.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import type { EnableNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { notStarted, settleRunning } from '../running/settle.ts'
import { askIfWider } from '../consent/ask-consent.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import { runHook } from '../running/run-hook.ts'
import { tell } from '../operations/tell.ts'

type Status = PluginRow['status']

const mayEnable: ReadonlySet<Status> = new Set<Status>(['installed', 'quarantined', 'broken'])
const maySync: ReadonlySet<Status> = new Set<Status>(['installed', 'enabled', 'quarantined'])
const mayDisable: ReadonlySet<Status> = new Set<Status>(['enabled', 'quarantined', 'broken'])

/** Lets a plugin run on every host; one that runs already is left alone. Without an actor of the platform's own accord. */
export async function enablePlugin(parts: EnableNeeds, plugin: PluginRow, actor: Principal | null): Promise<void> {
  await switchPlugin(parts, plugin, actor, 'enable', async (operation, { id }) => {
    const row = await requireStatus(parts, id, 'enabled', mayEnable)
    if (!row) return
    const { version, treeHash } = await getRelease(parts.db, row.activeRelease)
    await parts.index.requireRunnable({ id, name: row.name, version, treeHash })
    // Whatever is wrong with it shows here, before anything has changed.
    await operation.step(
      'load',
      async () => void (await parts.loader.prepare({ ...row, releaseId: row.activeRelease })),
    )
    const hook = await operation.step('hook', () => runHook(parts, row.name, 'enable', operation.id))
    if (hook.isPassing) throw notStarted(operation.id, hook.error ?? '')
    if (!hook.ok) throw new PluginBrokenError({ why: hook.error ?? '' })
    await commit(parts, operation, row, actor, 'enabled')
    await finishEnable(parts, operation)
  })
}

/** Stops a plugin on every host; its data and settings stay. */
export async function disablePlugin(parts: EnableNeeds, plugin: PluginRow, actor: Principal): Promise<void> {
  await switchPlugin(parts, plugin, actor, 'disable', async (operation, { id }) => {
    const row = await requireStatus(parts, id, 'installed', mayDisable)
    if (!row) return
    await commit(parts, operation, row, actor, 'installed')
    await finishDisable(parts, operation)
  })
}

/** Loads the active release anew on every host, with its manifest's routes, permissions, slots and settings. */
export async function syncManifest(parts: EnableNeeds, plugin: PluginRow, actor: Principal): Promise<void> {
  await switchPlugin(parts, plugin, actor, 'sync', async (operation, { id }) => {
    const row = await getPlugin(parts.db, String(id))
    if (row.removing) throw new PluginStatusError({ status: 'removing' })
    if (!maySync.has(row.status)) throw new PluginStatusError({ status: row.status })
    await operation.step(
      'load',
      async () => void (await parts.loader.prepare({ ...row, releaseId: row.activeRelease })),
    )
    if (await askIfWider(parts, operation, row, actor)) return
    await commit(parts, operation, row, actor, row.status)
    await finishSync(parts, operation)
  })
}

/** What is left to do once a plugin is wanted enabled. */
export async function finishEnable(parts: EnableNeeds, operation: Operation): Promise<void> {
  await converge(parts, operation)
  const row = await getPlugin(parts.db, operation.plugin)
  if (row.status === 'broken') throw new PluginBrokenError({ why: saidOf(row.reason, row.reasonSaid) })
  const { name, version } = await getRelease(parts.db, row.activeRelease)
  await tell(parts, operation, pluginsEnabled, { name, version })
}

/** What is left to do once a plugin is wanted disabled. */
export async function finishDisable(parts: EnableNeeds, operation: Operation): Promise<void> {
  await converge(parts, operation)
  await operation.step('hook', () => runHook(parts, operation.plugin, 'disable', operation.id))
  const row = await getPlugin(parts.db, operation.plugin)
  const { name, version } = await getRelease(parts.db, row.activeRelease)
  await tell(parts, operation, pluginsDisabled, { name, version })
}

/** What is left to do once a plugin is wanted loaded anew. */
export async function finishSync(parts: EnableNeeds, operation: Operation): Promise<void> {
  // It asks for more than it was granted, and that is all there was to do.
  if (operation.result('ask') !== undefined) return
  await converge(parts, operation)
}

async function switchPlugin(
  { operations }: EnableNeeds,
  plugin: PluginRow,
  actor: Principal | null,
  kind: OperationKind,
  work: (operation: Operation, plugin: PluginRow) => Promise<void>,
): Promise<void> {
  const request = {
    ...{ plugin: plugin.name, pluginId: plugin.id, kind, actor: actor?.userId ?? null },
    // What else waits for a host ends when one is well again: a stop does not wait for it.
    ...(kind === 'disable' && { overtakes: ['enable' as const] }),
  }
  await operations.run(request, (operation) => work(operation, plugin))
}

/** The plugin under its lock, or undefined when it has the status already. */
async function requireStatus(
  { db }: Pick<ReleaseChangeNeeds, 'db'>,
  id: number,
  wanted: Status,
  allowed: ReadonlySet<Status>,
): Promise<PluginRow | undefined> {
  const row = await getPlugin(db, String(id))
  if (row.removing) throw new PluginStatusError({ status: 'removing' })
  if (row.status === wanted) return undefined
  if (!allowed.has(row.status)) throw new PluginStatusError({ status: row.status })
  return row
}

async function commit(
  { audit }: ConsentNeeds,
  operation: Operation,
  { id, name, status: before }: PluginRow,
  actor: Principal | null,
  status: Status,
): Promise<void> {
  const action = `plugin.${{ enable: 'enabled', disable: 'disabled' }[operation.kind as string] ?? 'manifest_synced'}`
  await operation.change(
    'commit',
    async (trx) => {
      const target = `plugin:${name}`
      await audit.record({ tenantId: 0, actor, action, target, before: { status: before }, after: { status } }, trx)
      return {
        generation: await wantPlugin(trx, id, { status, ...(status !== before && { reason: null }) }, { reload: true }),
      }
    },
    { commits: true },
  )
}

async function converge(parts: EnableNeeds, operation: Operation): Promise<void> {
  const { generation } = operation.result<{ generation: number }>('commit')
  await operation.step('converge', () => settleRunning(parts, operation, generation))
  // Owners of tenants hold the permissions of what is assigned to them and runs.
  await parts.access.invalidate('all')
}
