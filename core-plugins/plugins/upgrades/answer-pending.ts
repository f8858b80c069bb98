import type { Principal } from '#kernel'
import { ConsentOutdatedError } from '../shared/errors.ts'
import type { ConsentAnswer } from '../consent/consent-request.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import { PluginRow, ReleaseRow } from '../shared/models.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import { dropArchives } from '../releases/shared-archives.ts'
import { getRelease } from '../releases/release-archive.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle, settleRunning } from '../running/settle.ts'
import { carryGrants } from '../consent/carry-grants.ts'
import { NothingPendingError } from '../consent/errors.ts'
import { upgradePlugin } from './upgrade-plugin.ts'
import { keptTarget } from '../consent/upgrade-target.ts'
import { findPendingConsent, listGrants } from '../consent/wider-rights.ts'

/** Answers for the release that waits: it is upgraded to, or dropped. */
export async function answerPending(
  parts: ReleaseChangeNeeds,
  plugin: PluginRow,
  answer: ConsentAnswer,
  actor: Principal,
): Promise<void> {
  const pending = await requirePending(parts, plugin, answer)
  if (!answer.accept) return refuse(parts, plugin, answer, actor)
  await parts.index.requireNotRevoked(pending)
  if (pending.id === plugin.activeRelease) return grantActive(parts, plugin, answer, actor)
  // Neither the pin nor the trust was an obstacle when it was asked for, and nothing else is asked now.
  const request = { force: true, lowerTrust: true, accept: answer }
  await upgradePlugin(parts, plugin, keptTarget(pending), request, actor)
}

/** The release that waits; throws 409/4094 unless the answer is for exactly what is asked. */
async function requirePending(
  { db }: Pick<ReleaseChangeNeeds, 'db'>,
  plugin: PluginRow,
  { releaseHash, diffHash }: ConsentAnswer,
): Promise<ReleaseRow> {
  if (plugin.pendingRelease === null) throw new NothingPendingError()
  const pending = await getRelease(db, plugin.pendingRelease)
  const consent = await findPendingConsent(db, plugin, pending)
  if (consent.releaseHash !== releaseHash || consent.diffHash !== diffHash) throw new ConsentOutdatedError()
  return pending
}

/** The release goes, and what was granted stays as it is. */
async function refuse(
  parts: ReleaseChangeNeeds,
  { id, name }: PluginRow,
  answer: ConsentAnswer,
  actor: Principal,
): Promise<void> {
  const request = { plugin: name, pluginId: id, kind: 'consent' as const, actor: actor.userId }
  await parts.operations.run(request, async (operation) => {
    const plugin = await getPlugin(parts.db, name)
    const { id: releaseId, version, sha256 } = await requirePending(parts, plugin, answer)
    operation.follow(['refuse', 'converge'])
    const isInUse = releaseId === plugin.activeRelease || releaseId === plugin.previousRelease
    const { generation } = await operation.change(
      'refuse',
      async (trx) => {
        await PluginRow.with(trx).findById(id).patch({ pendingRelease: null })
        if (!isInUse) await ReleaseRow.with(trx).deleteById(releaseId)
        const entry = { tenantId: 0, actor, action: 'plugin.consent_refused', target: `plugin:${name}` }
        await parts.audit.record({ ...entry, after: { version } }, trx)
        return { generation: await wantPlugin(trx, id, {}) }
      },
      { commits: true },
    )
    await operation.step('converge', () => settle(parts, generation, operation.signal))
    if (!isInUse) await dropArchives(parts.storage, [{ sha256 }])
  })
}

/** The active release itself asks for more than it was granted. */
async function grantActive(
  parts: ReleaseChangeNeeds,
  { id, name }: PluginRow,
  answer: ConsentAnswer,
  actor: Principal,
): Promise<void> {
  const request = { plugin: name, pluginId: id, kind: 'sync' as const, actor: actor.userId }
  await parts.operations.run(request, async (operation) => {
    const release = await requirePending(parts, await getPlugin(parts.db, name), answer)
    operation.follow(['commit', 'converge'])
    const before = await listGrants(parts.db, id, release)
    const { generation } = await operation.change(
      'commit',
      async (trx) => {
        await carryGrants(trx, id, { before, target: release, actor: actor.userId })
        await PluginRow.with(trx).findById(id).patch({ pendingRelease: null })
        const entry = { tenantId: 0, actor, action: 'plugin.consent_given', target: `plugin:${name}` }
        await parts.audit.record({ ...entry, after: { release: release.treeHash } }, trx)
        return { generation: await wantPlugin(trx, id, {}, { reload: true }) }
      },
      { commits: true },
    )
    await operation.step('converge', () => settleRunning(parts, operation, generation))
    await parts.access.invalidate('all')
  })
}
