import type { Locks, Logger, Scope } from '#kernel'
import type { Knex } from 'knex'
import type { Access, Audit } from '../../access/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import { pluginsRevoked } from '../contract.ts'
import type { InstalledRelease, PluginDirectory, PluginOperations } from '../../plugins/contract.ts'
import { keyOfRow, type KnownKey } from '../publishers/known-key.ts'
import { PublisherRow } from '../publishers/models.ts'
import { heaviest, judgeRelease, type Verdict } from './judge-installed.ts'
import { RevocationRow } from './models.ts'
import { publisherOf } from '../publishers/publisher-of.ts'
import type { SourceSet } from '../sources/source-set.ts'

/** What the watch stands on. */
interface RevocationWatchParts {
  readonly db: Knex
  readonly audit: Audit
  readonly access: Pick<Access, 'usersWith'>
  readonly emit: Scope['emit']
  readonly directory: Pick<PluginDirectory, 'list'>
  readonly operations: PluginOperations
  readonly locks: Locks
  readonly notifier: Notifier
  readonly sources: SourceSet
  readonly log: Logger
}

interface Installed {
  readonly plugin: InstalledRelease
  /** The key that signed it, where the site knows it. */
  readonly key: KnownKey | undefined
  /** What was found against it before. */
  readonly known: RevocationRow | undefined
}

const lock = 'plugins.revocations'

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
    await locks.withLock(lock, async (signal) => {
      for (const installed of await this.#installed()) {
        signal.throwIfAborted()
        await this.#judge(installed)
      }
    })
  }

  async #installed(): Promise<readonly Installed[]> {
    const { db, directory } = this.#parts
    const plugins = (await directory.list()).filter(({ removing }) => !removing)
    const found = await RevocationRow.with(db).findByIds(plugins.map(({ id }) => id))
    const keys = (await PublisherRow.with(db)).map(keyOfRow)
    const knownOf = new Map(found.map((row) => [row.pluginId, row]))
    return plugins.map((plugin) => {
      const { id, name, release } = plugin
      const key = keys.find(({ publisher, kid }) => kid === release.kid && publisher === publisherOf(name))
      return { plugin, key, known: knownOf.get(id) }
    })
  }

  async #judge(installed: Installed): Promise<void> {
    const { plugin, known } = installed
    const verdict = this.#verdictOn(installed)
    if (!verdict) return known && this.#lift(installed, known)
    const isKnown = known !== undefined && known.releaseHash === plugin.release.treeHash && isSame(known, verdict)
    if (!isKnown) await this.#find(installed, verdict)
    if (verdict.action === 'disable') await this.#disable(installed)
  }

  /** The word of those who can be asked, or of one that is away or gone and has taken nothing back. */
  #verdictOn({ plugin: { name, source, release }, key, known }: Installed): Verdict | undefined {
    const { sources } = this.#parts
    const { version, kid } = release
    const said = judgeRelease(sources.all, { name, version, kid, key, origins: [source, release.source] })
    const isLastWord =
      known?.releaseHash === release.treeHash && known.asked === null && sources.find(known.source) === undefined
    return heaviest([...(isLastWord ? [verdictOf(known)] : []), ...(said ? [said] : [])])
  }

  async #find({ plugin }: Installed, verdict: Verdict): Promise<void> {
    const { db, audit, emit } = this.#parts
    const { id, name, release } = plugin
    const { version, treeHash: releaseHash } = release
    await db.transaction(async (trx) => {
      await RevocationRow.with(trx).deleteById(id)
      await RevocationRow.with(trx).insert({ pluginId: id, releaseHash, version, ...verdict })
      const after = { version, ...verdict }
      await audit.record({ tenantId: 0, actor: null, action: 'plugin.revoked', target: `plugin:${name}`, after }, trx)
    })
    await emit(pluginsRevoked, { name, version, action: verdict.action, reason: verdict.reason })
    await this.#tell({ name, version }, verdict)
  }

  async #tell(
    { name, version }: { readonly name: string; readonly version: string },
    { action, reason, cve }: Verdict,
  ): Promise<void> {
    const { access, notifier } = this.#parts
    const message = {
      title: `${name} ${version} was revoked`,
      body: cve === null ? reason : `${cve}: ${reason}`,
      level: action === 'warn' ? 'warning' : 'error',
      link: `/admin/plugins/${name}`,
      source: 'plugins',
    } as const
    const administrators = await access.usersWith(0, 'platform_plugin:upgrade')
    for (const userId of administrators) await notifier.send({ ...message, tenantId: 0, userId })
  }

  async #lift({ plugin: { name } }: Installed, known: RevocationRow): Promise<void> {
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
    const { db, operations, log } = this.#parts
    const row = await RevocationRow.with(db).findById(id)
    if (!row || row.appliedAt !== null || row.overriddenAt !== null) return
    const { version: revoked, reason } = row
    const isDone = await operations.stop(
      { id, name },
      {
        reason,
        options: { revoked, reason },
        mark: async (by) => void (await RevocationRow.with(by).findById(id).patch({ appliedAt: new Date() })),
      },
    )
    if (!isDone) log.info({ plugin: name }, 'a revoked plugin is busy and will be switched off later')
  }
}

function verdictOf({ source, action, asked, severity, reason, cve, kid }: Verdict): Verdict {
  return { source, action, asked, severity, reason, cve, kid }
}

function isSame(known: RevocationRow, verdict: Verdict): boolean {
  return JSON.stringify(verdictOf(known)) === JSON.stringify(verdictOf(verdict))
}
