import type { Locks, Logger } from '#kernel'
import type { Notifier } from '../../notifications/contract.ts'
import { pluginsRevoked } from '../contract.ts'
import { OperationInProgressError } from '../shared/errors.ts'
import { finishDisable } from '../enabling/enable.ts'
import { PluginRow, ReleaseRow, type PluginStatus } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../running/parts.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { keyOfRow, type KnownKey } from '../trust/known-key.ts'
import { PublisherRow } from '../trust/models.ts'
import { heaviest, judgeRelease, type Verdict } from './judge-installed.ts'
import { RevocationRow } from '../revocations/models.ts'
import { notifyAdministrators } from '../revocations/notify-administrators.ts'
import { publisherOf } from './publisher-of.ts'
import type { SourceSet } from './source-set.ts'

/** What the watch stands on. */
export interface RevocationWatchParts extends Pick<Parts, 'db' | 'audit' | 'access' | 'operations' | 'emit'> {
  readonly parts: Parts
  readonly locks: Locks
  readonly notifier: Notifier
  readonly sources: SourceSet
  readonly log: Logger
}

interface Installed {
  readonly plugin: PluginRow
  readonly release: Pick<ReleaseRow, 'id' | 'name' | 'version' | 'treeHash' | 'kid' | 'source'>
  /** The key that signed it, where the site knows it. */
  readonly key: KnownKey | undefined
  /** What was found against it before. */
  readonly known: RevocationRow | undefined
}

const LOCK = 'plugins.revocations'
const RUNNING: ReadonlySet<PluginStatus> = new Set<PluginStatus>(['enabled', 'quarantined'])

/** Holds what is installed against what the sources revoked, on one host for all, and does what they ask for. */
export class RevocationWatch {
  readonly #parts: RevocationWatchParts
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(parts: RevocationWatchParts) {
    this.#parts = parts
  }

  /** Looks at every plugin; what was found before is not told again, what was not done before is done now. */
  look(): Promise<void> {
    // Who asks while one is waiting for its turn shares it.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#running = this.#look()
        return this.#running
      })
    return this.#next
  }

  async #look(): Promise<void> {
    const { locks } = this.#parts
    await locks.withLock(LOCK, async (signal) => {
      for (const installed of await this.#installed()) {
        signal.throwIfAborted()
        await this.#judge(installed)
      }
    })
  }

  async #installed(): Promise<readonly Installed[]> {
    const { db } = this.#parts
    const plugins = await PluginRow.with(db).where({ removing: false }).orderBy('name')
    const releases = await ReleaseRow.with(db)
      .findByIds(plugins.map(({ activeRelease }) => activeRelease))
      // Beside these it has long lists.
      .select('id', 'name', 'version', 'tree_hash', 'kid', 'source')
    const found = await RevocationRow.with(db).findByIds(plugins.map(({ id }) => id))
    const keys = (await PublisherRow.with(db)).map(keyOfRow)
    const byId = new Map(releases.map((release) => [release.id, release]))
    const knownOf = new Map(found.map((row) => [row.pluginId, row]))
    return plugins.flatMap((plugin) => {
      const release = byId.get(plugin.activeRelease)
      if (!release) return []
      const key = keys.find(({ publisher, kid }) => kid === release.kid && publisher === publisherOf(plugin.name))
      return { plugin, release, key, known: knownOf.get(plugin.id) }
    })
  }

  async #judge(installed: Installed): Promise<void> {
    const { release, known } = installed
    const verdict = this.#verdictOn(installed)
    if (!verdict) return known && this.#lift(installed, known)
    const isKnown = known !== undefined && known.releaseHash === release.treeHash && isSame(known, verdict)
    if (!isKnown) await this.#find(installed, verdict)
    if (verdict.action === 'disable') await this.#disable(installed)
  }

  /** The word of those who can be asked, or of one that is away or gone and has taken nothing back. */
  #verdictOn({ plugin, release, key, known }: Installed): Verdict | undefined {
    const { sources } = this.#parts
    const { name, version, kid } = release
    const said = judgeRelease(sources.all, { name, version, kid, key, origins: [plugin.source, release.source] })
    const isLastWord =
      known?.releaseHash === release.treeHash && known.asked === null && sources.find(known.source) === undefined
    return heaviest([...(isLastWord ? [verdictOf(known)] : []), ...(said ? [said] : [])])
  }

  async #find({ plugin, release }: Installed, verdict: Verdict): Promise<void> {
    const { db, audit, emit, access, notifier } = this.#parts
    const { name, version, treeHash: releaseHash } = release
    await db.transaction(async (trx) => {
      await RevocationRow.with(trx).deleteById(plugin.id)
      await RevocationRow.with(trx).insert({ pluginId: plugin.id, releaseHash, version, ...verdict })
      const after = { version, ...verdict }
      await audit.record({ tenantId: 0, actor: null, action: 'plugin.revoked', target: `plugin:${name}`, after }, trx)
    })
    await emit(pluginsRevoked, { name, version, action: verdict.action, reason: verdict.reason })
    await notifyAdministrators({ access, notifier }, 'platform_plugin:upgrade', {
      title: `${name} ${version} was revoked`,
      body: verdict.cve === null ? verdict.reason : `${verdict.cve}: ${verdict.reason}`,
      level: verdict.action === 'warn' ? 'warning' : 'error',
      link: `/admin/plugins/${name}`,
    })
  }

  async #lift({ release: { name } }: Installed, known: RevocationRow): Promise<void> {
    const { db, audit } = this.#parts
    await db.transaction(async (trx) => {
      await RevocationRow.with(trx).deleteById(known.pluginId)
      const { version, action, reason } = known
      const entry = {
        action: 'plugin.revocation_lifted',
        target: `plugin:${name}`,
        before: { version, action, reason },
      }
      await audit.record({ tenantId: 0, actor: null, ...entry }, trx)
    })
  }

  /** Switches a plugin off, as an operation like any other; one that is busy is switched off at the next look. */
  async #disable({ plugin: { id, name } }: Installed): Promise<void> {
    const { parts, operations, log } = this.#parts
    const row = await RevocationRow.with(parts.db).findById(id)
    if (!row || row.appliedAt !== null || row.overriddenAt !== null) return
    const options = { revoked: row.version, reason: row.reason }
    try {
      await operations.run({ plugin: name, pluginId: id, kind: 'disable', actor: null, options }, (operation) =>
        disableRevoked(parts, operation, row),
      )
    } catch (error) {
      if (!(error instanceof OperationInProgressError)) throw error
      log.info({ plugin: name }, 'a revoked plugin is busy and will be switched off later')
    }
  }
}

async function disableRevoked(parts: Parts, operation: Operation, { pluginId, reason }: RevocationRow): Promise<void> {
  const applied = { appliedAt: new Date() }
  const plugin = await PluginRow.with(parts.db).findById(pluginId)
  if (!plugin || plugin.removing || !RUNNING.has(plugin.status)) {
    await RevocationRow.with(parts.db).findById(pluginId).patch(applied)
    return
  }
  await operation.change(
    'commit',
    async (trx) => {
      await RevocationRow.with(trx).findById(pluginId).patch(applied)
      const change = { before: { status: plugin.status }, after: { status: 'installed', reason } }
      const entry = { tenantId: 0, actor: null, action: 'plugin.disabled', target: `plugin:${plugin.name}`, ...change }
      await parts.audit.record(entry, trx)
      return { generation: await wantPlugin(trx, pluginId, { status: 'installed', reason }, { reload: true }) }
    },
    { commits: true },
  )
  await finishDisable(parts, operation)
}

function verdictOf({ source, action, asked, severity, reason, cve, kid }: Verdict): Verdict {
  return { source, action, asked, severity, reason, cve, kid }
}

function isSame(known: RevocationRow, verdict: Verdict): boolean {
  return JSON.stringify(verdictOf(known)) === JSON.stringify(verdictOf(verdict))
}
