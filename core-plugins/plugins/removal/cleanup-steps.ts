import type { Principal } from '#kernel'
import { pluginHash8 } from '#sandbox'
import type { PluginRows } from '../contract-running.ts'
import { holdIcon, pruneIcons } from '../choices/icon-store.ts'
import { dropOtherBackups, isBackedUp, saveChoices, writeFinalBackup } from '../backups/final-backup.ts'
import { AssignmentRow, GrantRow, PluginRow, ReleaseRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { RemovalNeeds } from './needs.ts'
import { requireUnneeded } from '../releases/compatibility.ts'
import { dropArchives } from '../releases/shared-archives.ts'
import { nextGeneration, wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'
import type { CleanupTarget } from '../shared/cleanup-target.ts'
import { listStrays } from '../repairs/list-strays.ts'
import { dropOwnTables } from '../tables/own-tables.ts'
import { runHook } from '../running/run-hook.ts'

interface StepInput {
  readonly parts: RemovalNeeds
  readonly operation: Operation
  readonly target: CleanupTarget
  readonly actor: Principal | null
}

/** One of the 14 steps: safe to repeat, and it tells what it did. */
interface CleanupStep {
  readonly name: string
  readonly run: (input: StepInput) => Promise<object>
}

/** The 14 steps of contract-plugins 2.7, in order. The plugin's code takes part in the third and cannot stop it. */
export const cleanupSteps: readonly CleanupStep[] = [
  { name: 'stop_dispatch', run: stopDispatch },
  { name: 'drain', run: drain },
  { name: 'hook', run: callHook },
  { name: 'schedules', run: (input) => keptRows('schedules', input) },
  { name: 'events', run: (input) => keptRows('events', input) },
  { name: 'registrations', run: registrations },
  { name: 'front_end', run: frontEnd },
  { name: 'permissions', run: permissions },
  { name: 'tenants_and_settings', run: tenantsAndSettings },
  // That a trial was had stays known, or it would begin again with the next install.
  { name: 'licences', run: (input) => keptRows('licences', input) },
  { name: 'backup', run: backup },
  { name: 'tables', run: tables },
  { name: 'storage', run: storage },
  { name: 'release', run: release },
]

async function stopDispatch({ parts, operation, target, actor }: StepInput): Promise<object> {
  const { id, name, version, purge, isForced } = target
  // From here on it is never taken back, only continued.
  const generation = await operation.guarded(
    async (trx) => {
      const wanted = id === null ? await nextGeneration(trx) : await wantPlugin(trx, id, { removing: true })
      if (operation.committed) return wanted
      if (!isForced) await requireUnneeded(trx, name)
      const action = isForced ? 'plugin.cleaned_up' : 'plugin.uninstalled'
      const audited = { tenantId: 0, actor, action, target: `plugin:${name}`, before: { version }, after: { purge } }
      await parts.audit.record(audited, trx)
      return wanted
    },
    { commits: true },
  )
  await settle(parts, generation, operation.signal)
  return { dispatch: 'closed' }
}

async function drain({ parts, operation, target }: StepInput): Promise<object> {
  await parts.hosts.left(target.name, operation.signal)
  return { calls: 'ended' }
}

async function callHook({ parts, operation, target }: StepInput): Promise<object> {
  if (target.isForced || target.id === null) return { skipped: true }
  const result = await runHook(parts, target.name, 'uninstall', operation.id)
  await parts.sandbox.drain(target.name, 0)
  return result
}

/** The rows that another core plugin keeps; where that is not there, they go with the plugin's own row. */
async function keptRows(step: PluginRows['step'], { parts, operation, target }: StepInput): Promise<object> {
  const kept = parts.rows.of(step)
  if (kept.length === 0) return { skipped: true }
  return operation.guarded(async (trx) => {
    const gone: object[] = []
    for (const rows of kept) gone.push(await rows.remove(trx, target))
    return Object.assign({}, ...gone) as object
  })
}

/** What a plugin provides is registered through its scope, which was disposed when it stopped; what it wrote and is not sent yet goes too. */
async function registrations({ parts, operation, target: { name, manifest } }: StepInput): Promise<object> {
  const { aiTools = [], aiProviders = [], aiGuardrails = [], aiRouters = [] } = manifest?.provides ?? {}
  const { captcha, storageDrivers = [] } = manifest?.provides ?? {}
  return {
    waiting_mails: await operation.guarded((trx) => parts.mailer.withdraw(name, trx)),
    ai_tools: aiTools.length,
    ai_providers: aiProviders.length,
    ai_guardrails: aiGuardrails.length,
    ai_routers: aiRouters.length,
    captcha: captcha ? 1 : 0,
    storage_drivers: storageDrivers.length,
  }
}

/** Slots and menu entries stand in the manifest alone; what users chose does not. */
async function frontEnd({ parts, operation, target }: StepInput): Promise<object> {
  const { name, manifest } = target
  const { preferences, arranged } = await operation.guarded(async (trx) => {
    // Settings and assignments too: the steps that delete those come after this one.
    if (isBackedUp(target)) await saveChoices(parts, trx, operation, target)
    return {
      preferences: await parts.preferences.removePlugin(name, trx),
      arranged: await parts.access.removeMenus(`plugin.${name}.`, trx),
    }
  })
  return { slots: manifest?.slots?.length ?? 0, menu: manifest?.menu?.length ?? 0, arranged, preferences }
}

async function permissions({ parts, operation, target: { name, manifest } }: StepInput): Promise<object> {
  const roles = await operation.guarded((trx) => parts.access.removePermissions(`plugin.${name}:`, trx))
  return { codes: manifest?.permissions?.length ?? 0, roles }
}

async function tenantsAndSettings({ parts, operation, target }: StepInput): Promise<object> {
  const { id, name } = target
  return operation.guarded(async (trx) => {
    const ofTenants = await parts.config.removeGroup(`plugin.${name}`, trx)
    const ofPlatform = await parts.config.removeGroup(`plugin.${name}.platform`, trx)
    const assignments = id === null ? 0 : await AssignmentRow.acrossTenants(trx).where({ plugin_id: id }).delete()
    return { assignments, values: ofTenants + ofPlatform }
  })
}

async function backup({ parts, target }: StepInput): Promise<object> {
  const written = isBackedUp(target) ? await writeFinalBackup(parts, target) : { skipped: true }
  const dropped = await dropOtherBackups(parts, target)
  return { ...written, dropped }
}

async function tables({ operation, target: { name } }: StepInput): Promise<object> {
  return operation.guarded((trx) => dropOwnTables(trx, name))
}

async function storage({ parts, operation, target: { name } }: StepInput): Promise<object> {
  await operation.guarded((trx) => holdIcon(parts, trx, name, undefined))
  await pruneIcons(parts, name)
  const attachments = await parts.attachments.forgetPlugin(name)
  return { ...(await parts.storage.clear(`plugins/${name}`)), ...(attachments > 0 && { attachments }) }
}

async function release({ parts, operation, target: { id, name, isForced } }: StepInput): Promise<object> {
  // Before their rows, which tell a repetition of this step what there was.
  await dropArchives(parts.storage, await ReleaseRow.with(parts.db).where({ name }).select('sha256'))
  const { grants, deleted, generation } = await operation.guarded(async (trx) => {
    const granted = id === null ? 0 : await GrantRow.with(trx).where({ plugin_id: id }).delete()
    await PluginRow.with(trx).where({ name }).delete()
    const rows = await ReleaseRow.with(trx).where({ name }).delete()
    return { grants: granted, deleted: rows, generation: await nextGeneration(trx) }
  })
  await settle(parts, generation, operation.signal)
  await parts.hosts.left(name, operation.signal)
  await parts.store.remove(name)
  await parts.cache.deleteByPrefix(`plg:${pluginHash8(name)}:`)
  return { grants, releases: deleted, ...(isForced && { strays: await listStrays(parts) }) }
}
