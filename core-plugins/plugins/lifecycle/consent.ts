import { createHash } from 'node:crypto'
import type { Principal } from '#kernel'
import { consentItems, type ConsentItem, type PluginManifest } from '#sandbox'
import { ConsentOutdatedError, PluginStatusError } from '../errors.ts'
import { GrantRow, type PluginRow, type ReleaseRow } from '../models.ts'
import type { Knex } from 'knex'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'
import { answerPending } from '../upgrades/answer-pending.ts'
import { findPendingConsent } from '../upgrades/wider-rights.ts'
import { getPlugin } from './find-plugin.ts'
import { runHook } from './run-hook.ts'

/** What an administrator is asked to allow, with the hashes that pin the answer to it. */
export interface ConsentRequest {
  readonly releaseHash: string
  readonly diffHash: string
  readonly items: readonly ConsentItem[]
}

/** The answer to a consent request. */
export interface ConsentAnswer {
  readonly accept: boolean
  readonly releaseHash: string
  readonly diffHash: string
}

/** Everything a release asks for, for a plugin that was granted nothing before. */
export function firstConsent({ manifest, treeHash }: Pick<ReleaseRow, 'manifest' | 'treeHash'>): ConsentRequest {
  const items = consentItems(manifest)
  const pinned = items.map(({ capability, detailHash }) => `${capability} ${detailHash}\n`).join('')
  return { releaseHash: treeHash, diffHash: createHash('sha256').update(pinned).digest('hex'), items }
}

/** Whether a release asks for anything that an administrator must allow. */
export function asksForConsent(manifest: PluginManifest): boolean {
  const { capabilities, optionalCapabilities = [], public_routes = [], limits = {} } = manifest
  return capabilities.length + optionalCapabilities.length + public_routes.length + Object.keys(limits).length > 0
}

/** What an administrator is asked about a plugin now: for the release that waits beside the active one, or for the first. */
export async function findConsent(
  db: Knex,
  plugin: PluginRow,
  { active, pending }: { readonly active: ReleaseRow; readonly pending: ReleaseRow | undefined },
): Promise<ConsentRequest | undefined> {
  if (pending) return findPendingConsent(db, plugin, pending)
  return plugin.status === 'awaiting_consent' && asksForConsent(active.manifest) ? firstConsent(active) : undefined
}

/** Grants a plugin what it asks for, or leaves it waiting. */
export async function answerConsent(
  parts: Parts,
  plugin: PluginRow,
  answer: ConsentAnswer,
  actor: Principal,
): Promise<void> {
  if (plugin.pendingRelease !== null) return answerPending(parts, plugin, answer, actor)
  const request = { plugin: plugin.name, pluginId: plugin.id, kind: 'consent' as const, actor: actor.userId }
  await parts.operations.run(request, async (operation) => {
    const release = await requireWaiting(parts, plugin.id, answer)
    await operation.describe({ toRelease: release.version })
    if (answer.accept) return grant(parts, operation, plugin, release, actor)
    await parts.audit.record({ tenantId: 0, actor, action: 'plugin.consent_refused', target: `plugin:${plugin.name}` })
  })
}

async function requireWaiting({ db }: Parts, id: number, answer: ConsentAnswer): Promise<ReleaseRow> {
  const { status, activeRelease, removing } = await getPlugin(db, String(id))
  if (status !== 'awaiting_consent' || removing) throw new PluginStatusError({ status: removing ? 'removing' : status })
  const release = await getRelease(db, activeRelease)
  const { releaseHash, diffHash } = firstConsent(release)
  if (answer.releaseHash !== releaseHash || answer.diffHash !== diffHash) throw new ConsentOutdatedError()
  return release
}

async function grant(
  parts: Parts,
  operation: Operation,
  { id, name }: PluginRow,
  release: ReleaseRow,
  actor: Principal,
): Promise<void> {
  const { items } = firstConsent(release)
  await operation.change(
    'grant',
    async (trx) => {
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

/** Records that an administrator allowed all that a release asks for. */
export async function recordGrants(
  trx: Knex.Transaction,
  pluginId: number,
  release: Pick<ReleaseRow, 'manifest' | 'treeHash'>,
  actor: Principal,
): Promise<void> {
  await GrantRow.with(trx).where({ plugin_id: pluginId, release_hash: release.treeHash }).delete()
  await GrantRow.with(trx).insert(
    firstConsent(release).items.map(({ capability, detail, detailHash, optional }) => {
      const row = { pluginId, releaseHash: release.treeHash, capability, detailHash, optional }
      return { ...row, detail: (detail ?? null) as object, grantedBy: actor.userId }
    }),
  )
}

/** What is left to do once the grants stand: the hosts learn of it and the plugin may prepare itself. */
export async function finishConsent(parts: Parts, operation: Operation): Promise<void> {
  const refused = operation.result<{ generation: number } | undefined>('refuse')
  if (refused) return settle(parts, refused.generation, operation.signal)
  const { generation } = operation.result<{ generation: number }>('grant')
  await operation.step('converge', () => settle(parts, generation, operation.signal))
  await operation.step('hook', () => runHook(parts, operation.plugin, 'postInstall', operation.id))
}
