import { AppError } from '#kernel'
import { OperationInProgressError } from '../errors.ts'
import { notifyAdministrators } from '../marketplace/notify-administrators.ts'
import { PluginRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import { rollBack } from '../rollbacks/roll-back.ts'
import { quarantinePlugin } from '../running/quarantine.ts'
import { UpgradeUndoneError } from './errors.ts'
import { endWatch, WatchRow } from './watches.ts'

/** Takes a release back whose upgrade failed after it was switched to; throws 500/5008 with the reason once that is done. */
export async function giveUpIfDoomed(parts: Parts, name: string): Promise<void> {
  const plugin = await PluginRow.with(parts.db).findOne({ name })
  const watch = plugin && (await WatchRow.with(parts.db).findById(plugin.id))
  if (!watch || watch.reason === null) return
  await giveUp(parts, plugin, watch)
  const { version } = await getRelease(
    parts.db,
    (await PluginRow.with(parts.db).findById(plugin.id))?.activeRelease ?? 0,
  )
  throw new UpgradeUndoneError({ version, why: watch.reason })
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
