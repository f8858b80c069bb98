import { AppError, saidOf, sayError } from '#kernel'
import { OperationInProgressError } from '../shared/errors.ts'
import { OperationRow } from '../shared/models.ts'
import { writeError } from '../operations/recorded-error.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { ReleaseActiveError, ReleaseNotInUseError } from '../rollbacks/errors.ts'
import { rollBack } from '../rollbacks/roll-back.ts'
import { quarantinePlugin } from '../running/quarantine.ts'
import { texts } from '../texts/texts.ts'
import { UpgradeStuckError } from '../consent/errors.ts'
import { endWatch, type Watched } from './watches.ts'

/**
 * Takes back a release that does badly: the one before runs again, unless the schema stands in the way, and then the plugin
 * is quarantined; administrators are told either way. Whoever is first does it; a host that dies over it leaves it to the others.
 */
export async function giveUp(parts: ReleaseChangeNeeds, watch: Watched): Promise<void> {
  const { db, log } = parts
  const { name, pluginId: id, toRelease } = watch
  const reason = saidOf(watch.reason, watch.reasonSaid)
  const from = await getRelease(db, watch.fromRelease)
  try {
    const undoes = { operation: watch.operationId, release: toRelease }
    await rollBack(parts, { id, name }, { to: from.version, because: reason, undoes }, null)
  } catch (error) {
    // Somebody else has taken it back meanwhile, or put another one in its place.
    if (error instanceof ReleaseActiveError || error instanceof ReleaseNotInUseError) return endWatch(db, watch)
    if (error instanceof OperationInProgressError || !(error instanceof AppError) || error.status >= 500) throw error
    log.warn({ err: error, plugin: name }, 'a release that does badly cannot be rolled back')
    const body = texts.keep('notice.no_way_back', { reason, why: sayError(error) })
    await quarantinePlugin(parts, name, body, toRelease)
    await recordStuck(parts, watch)
  }
  await endWatch(db, watch)
}

/** An upgrade that failed says that it could not be taken back; one that was watched when it was over stays what it was. */
async function recordStuck(
  { db }: Pick<ReleaseChangeNeeds, 'db'>,
  { operationId, toRelease, reason, reasonSaid }: Watched,
): Promise<void> {
  const { version } = await getRelease(db, toRelease)
  const error = writeError(new UpgradeStuckError({ version, why: saidOf(reason, reasonSaid) }))
  await OperationRow.with(db).findById(operationId).whereIn('state', ['failed', 'aborted']).patch({ error })
}
