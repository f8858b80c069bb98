import { lockUntilCommit, requirePermission, whatIsGiven, type Principal, type SecretBox } from '#kernel'
import type { Knex } from 'knex'
import type { Audit } from '../../access/contract.ts'
import type { InstalledRelease, PluginDirectory } from '../../plugins/contract.ts'
import { toTrustFully } from '../to-trust-fully.ts'
import { SourceNotFoundError, SourceTakenError } from '../errors.ts'
import { SourceRow } from './models.ts'
import { describeSource, presentSource } from './present-source.ts'
import { changeSource, usualSource, type SourceChange } from './source-rules.ts'

/** What the list of sources stands on. */
interface SourceServiceParts {
  readonly db: Knex
  readonly secrets: SecretBox
  readonly audit: Audit
  readonly directory: Pick<PluginDirectory, 'list'>
  /** How many plugins a source has, as far as this host knows. */
  readonly countPlugins: (source: string) => number
  /** Tells every host; those that are gone are forgotten. */
  readonly onChange: (source: string) => Promise<void>
}

/** Which sources a list shows; what is left out does not matter. */
interface SourceFilter {
  readonly status?: 'new' | 'fresh' | 'stale' | 'failing' | 'disabled'
  readonly enabled?: boolean
  readonly unsigned?: boolean
}

/** The index sources that administrators chose. */
export class SourceService {
  readonly #parts: SourceServiceParts

  constructor(parts: SourceServiceParts) {
    this.#parts = parts
  }

  /** Every source that fits, the first to be asked first. */
  async list({ status, enabled, unsigned }: SourceFilter = {}) {
    const rows = await SourceRow.with(this.#parts.db)
      .where(whatIsGiven({ enabled, unsigned }))
      .orderBy(['priority', 'id'])
    const installed = await this.#parts.directory.list()
    const items = rows.map((row) => this.#present(row, installed))
    return { items: items.filter((source) => status === undefined || source.status === status) }
  }

  /** One source; throws 404/4040. */
  async get(id: string) {
    const { db, directory } = this.#parts
    return this.#present(await getSource(db, id), await directory.list())
  }

  /** Adds a source, which is read as soon as that is possible. */
  async create(
    { id, name, url, ...change }: SourceChange & Pick<SourceRow, 'id' | 'name' | 'url'>,
    actor: Principal | null,
  ) {
    const { db, secrets, audit, onChange } = this.#parts
    const made = changeSource({ ...usualSource, url: 'about:blank' }, { ...change, name, url }, secrets)
    if (made.maxTrust === 'official' && actor) requirePermission(actor, toTrustFully)
    await db.transaction(async (trx) => {
      await lockUntilCommit(trx, 'plugins.sources')
      if (await SourceRow.with(trx).findById(id)) throw new SourceTakenError({ source: id })
      await SourceRow.with(trx).insert({ ...usualSource, ...made, id })
      const after = describeSource(await getSource(trx, id))
      await audit.record({ tenantId: 0, actor, action: 'source.created', target: `source:${id}`, after }, trx)
    })
    await onChange(id)
    return this.get(id)
  }

  /** Adds a source of the platform's own accord; one that is there stays as it is. */
  async seed(source: Pick<SourceRow, 'id' | 'name' | 'url'>): Promise<void> {
    if (!(await SourceRow.with(this.#parts.db).findById(source.id))) await this.create(source, null)
  }

  /**
   * Changes a source; another root begins anew. A root stays pinned when the address changes, unless another is given: the new address
   * must be of the same index, which goes on from what was read of it, and any other is refused when it is read.
   */
  async update(id: string, change: SourceChange, actor: Principal) {
    const { db, secrets, audit, onChange } = this.#parts
    await db.transaction(async (trx) => {
      const row = await SourceRow.with(trx).findById(id).forUpdate()
      if (!row) throw new SourceNotFoundError({ source: id })
      const columns = changeSource(row, change, secrets)
      const isMoved = columns.url !== row.url
      const isAnother = isOtherIndex(row, change) || (isMoved && row.rootFingerprint === null)
      const isRaised = columns.maxTrust !== undefined && columns.maxTrust !== row.maxTrust
      if ((columns.maxTrust ?? row.maxTrust) === 'official' && (isMoved || isAnother || isRaised)) {
        requirePermission(actor, toTrustFully)
      }
      await forgetFiles(trx, id, { isMoved, isAnother })
      const begin = isAnother ? { sequence: null, expires: null, refreshedAt: null } : {}
      await SourceRow.with(trx)
        .findById(id)
        .patch({
          ...{ ...columns, ...begin, lastError: null, updatedAt: new Date() },
          ...((isMoved || isAnother) && { checkedAt: null }),
        })
      const entry = {
        ...{ tenantId: 0, actor, action: 'source.updated', target: `source:${id}` },
        before: describeSource(row),
        after: describeSource(await getSource(trx, id)),
      }
      await audit.record(entry, trx)
    })
    await onChange(id)
    return this.get(id)
  }

  /** Removes a source; what was installed from it stays, and gets no more updates. */
  async delete(id: string, actor: Principal): Promise<void> {
    const { db, audit, onChange } = this.#parts
    await db.transaction(async (trx) => {
      const row = await getSource(trx, id)
      await SourceRow.with(trx).deleteById(id)
      const entry = {
        tenantId: 0,
        actor,
        action: 'source.deleted',
        target: `source:${id}`,
        before: describeSource(row),
      }
      await audit.record(entry, trx)
    })
    await onChange(id)
  }

  #present(row: SourceRow, all: readonly InstalledRelease[]) {
    const { secrets, countPlugins } = this.#parts
    const installed = all.filter(({ source }) => source === row.id).length
    return presentSource(row, { secrets, plugins: countPlugins(row.id), installed })
  }
}

/** A source by its id; throws 404/4040. */
export async function getSource(db: Knex, id: string): Promise<SourceRow> {
  const row = await SourceRow.with(db).findById(id)
  if (!row) throw new SourceNotFoundError({ source: id })
  return row
}

/** Whether what was read before says nothing of what will be read. */
function isOtherIndex(row: SourceRow, { rootFingerprint, unsigned }: SourceChange): boolean {
  return (
    (rootFingerprint !== undefined && rootFingerprint !== row.rootFingerprint) ||
    (unsigned !== undefined && unsigned !== row.unsigned)
  )
}

/** What another server calls unchanged is not what this one knew under that tag. */
async function forgetFiles(
  trx: Knex.Transaction,
  source: string,
  { isMoved, isAnother }: { readonly isMoved: boolean; readonly isAnother: boolean },
): Promise<void> {
  const files = trx('plugin_source_files').where({ source })
  if (isAnother) await files.delete()
  else if (isMoved) await files.update({ etag: null })
}
