import type { Principal } from '#kernel'
import { ConsentOutdatedError, PluginStatusError } from '../shared/errors.ts'
import type { PluginRow, ReleaseRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import type { EnableNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'
import { answerPending } from '../upgrades/answer-pending.ts'
import { readReleaseTables } from '../tables/release-tables.ts'
import { firstConsent, type ConsentAnswer } from '../consent/consent-request.ts'
import { createTables } from '../tables/create-tables.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import { recordGrants } from '../consent/record-grants.ts'
import { runHook } from '../running/run-hook.ts'

/** Grants a plugin what it asks for and makes its tables, or leaves it waiting and nothing made. */
export async function answerConsent(
  parts: ReleaseChangeNeeds & EnableNeeds,
  plugin: PluginRow,
  answer: ConsentAnswer,
  actor: Principal,
): Promise<void> {
  if (plugin.pendingRelease !== null) return answerPending(parts, plugin, answer, actor)
  return answerFirst(parts, plugin, answer, actor)
}

/** The same for a plugin that was granted nothing before; without an actor of the platform's own accord. */
export async function answerFirst(
  parts: EnableNeeds,
  plugin: PluginRow,
  answer: ConsentAnswer,
  actor: Principal | null,
): Promise<void> {
  const request = { plugin: plugin.name, pluginId: plugin.id, kind: 'consent' as const, actor: actor?.userId ?? null }
  await parts.operations.run(request, async (operation) => {
    const release = await requireWaiting(parts, plugin.id, answer)
    await operation.describe({ toRelease: release.version })
    if (answer.accept) return grant(parts, operation, plugin, release, actor)
    await parts.audit.record({ tenantId: 0, actor, action: 'plugin.consent_refused', target: `plugin:${plugin.name}` })
  })
}

async function requireWaiting(
  { db }: Pick<ReleaseChangeNeeds, 'db'>,
  id: number,
  answer: ConsentAnswer,
): Promise<ReleaseRow> {
  const { status, activeRelease, removing } = await getPlugin(db, String(id))
  if (status !== 'awaiting_consent' || removing) throw new PluginStatusError({ status: removing ? 'removing' : status })
  const release = await getRelease(db, activeRelease)
  const { releaseHash, diffHash } = firstConsent(release)
  if (answer.releaseHash !== releaseHash || answer.diffHash !== diffHash) throw new ConsentOutdatedError()
  return release
}

async function grant(
  parts: EnableNeeds,
  operation: Operation,
  { id, name }: PluginRow,
  release: ReleaseRow,
  actor: Principal | null,
): Promise<void> {
  const { items } = firstConsent(release)
  const { id: releaseId } = release
  const tables = await readReleaseTables((await parts.loader.prepare({ id, name, releaseId })).release)
  await operation.change(
    'grant',
    async (trx) => {
      await createTables(trx, parts, tables)
      await recordGrants(trx, id, release, actor)
      const after = { release: release.treeHash, capabilities: items.map(({ capability }) => capability) }
      await parts.audit.record(
        { tenantId: 0, actor, action: 'plugin.consent_given', target: `plugin:${name}`, after },
        trx,
      )
      return { generation: await wantPlugin(trx, id, { status: 'installed' }) }
    },
    { commits: true },
  )
  await finishConsent(parts, operation)
}

/** What is left to do once the grants stand: the hosts learn of it and the plugin may prepare itself. */
export async function finishConsent(parts: EnableNeeds, operation: Operation): Promise<void> {
  const refused = operation.result<{ generation: number } | undefined>('refuse')
  if (refused) return settle(parts, refused.generation, operation.signal)
  const { generation } = operation.result<{ generation: number }>('grant')
  await operation.step('converge', () => settle(parts, generation, operation.signal))
  await operation.step('hook', () => runHook(parts, operation.plugin, 'postInstall', operation.id))
}
