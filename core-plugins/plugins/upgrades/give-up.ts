import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '#kernel'
import { OperationInProgressError } from '../errors.ts'
import { notifyAdministrators } from '../marketplace/notify-administrators.ts'
import { PluginRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import { ReleaseActiveError } from '../rollbacks/errors.ts'
import { rollBack } from '../rollbacks/roll-back.ts'
import { quarantinePlugin } from '../running/quarantine.ts'
import { UpgradeUndoneError } from './errors.ts'
import { endWatch, WatchRow } from './watches.ts'

const PATIENCE_MS = 30_000
const PAUSE_MS = 100

/** Takes a release back whose upgrade failed after it was switched to; throws 500/5008 with the reason once that is done. */
export async function giveUpIfDoomed(parts: Parts, name: string): Promise<void> {
  const { db, operations } = parts
  const plugin = await PluginRow.with(db).findOne({ name })
  const watch = plugin && (await WatchRow.with(db).findById(plugin.id))
  if (!watch || watch.reason === null) return
  const patience = performance.now() + PATIENCE_MS
  for (;;) {
    const refusal = await giveUpUnlessDone(parts, watch)
    if (!refusal) break
    if (performance.now() > patience) throw refusal
    await wait(PAUSE_MS, undefined, { signal: operations.signal })
  }
  const { version } = await getRelease(db, (await PluginRow.with(db).findById(plugin.id))?.activeRelease ?? 0)
  throw new UpgradeUndoneError({ version, why: watch.reason })
}

/** Takes it back; answers why not while somebody else is at the plugin, such as a watch that saw it first and takes it back itself. */
async function giveUpUnlessDone(parts: Parts, watch: WatchRow): Promise<AppError | undefined> {
  const { db } = parts
  // It ends last of all.
  if (!(await WatchRow.with(db).findById(watch.pluginId))) return undefined
  const plugin = await PluginRow.with(db).findById(watch.pluginId)
  if (plugin?.activeRelease !== watch.toRelease) return new OperationInProgressError({ operation: 'rollback' })
  try {
    await giveUp(parts, plugin, watch)
    return undefined
  } catch (error) {
    if (error instanceof OperationInProgressError) return error
    throw error
  }
}

/**
 * Takes back a release that does badly: the one before runs again, unless the schema stands in the way, and then the plugin
 * is quarantined. Whoever is first does it; a host that dies over it leaves it to the others.
 */
export async function giveUp(parts: Parts, plugin: PluginRow, watch: WatchRow): Promise<void> {
  const { db, log } = parts
  const reason = watch.reason ?? ''
  const from = await getRelease(db, watch.fromRelease)
  try {
    await rollBack(parts, plugin, { to: from.version, automatic: true, reason }, null)
    await tell(parts, plugin, { title: `${plugin.name} was rolled back to ${from.version}`, body: reason })
  } catch (error) {
    // Somebody else has taken it back meanwhile.
    if (error instanceof ReleaseActiveError) return endWatch(db, watch)
    if (error instanceof OperationInProgressError || !(error instanceof AppError) || error.status >= 500) throw error
    log.warn({ err: error, plugin: plugin.name }, 'a release that does badly cannot be rolled back')
    await quarantinePlugin(parts, plugin.name, `${reason}; no way back: ${error.message}`)
    await tell(parts, plugin, { title: `${plugin.name} was quarantined`, body: `${reason}; ${error.message}` })
  }
  await endWatch(db, watch)
}

async function tell(
  { access, notifier, log }: Pick<Parts, 'access' | 'notifier' | 'log'>,
  { name }: PluginRow,
  message: { readonly title: string; readonly body: string },
): Promise<void> {
  const link = `/plugins/${name}`
  try {
    await notifyAdministrators({ access, notifier }, 'platform_plugin:upgrade', { ...message, level: 'error', link })
  } catch (error) {
    log.warn({ err: error, plugin: name }, 'administrators could not be told of a plugin')
  }
}
