import type { Knex } from 'knex'
import { faultOf, refuseFaults } from '../faults.ts'
import { ModelRow, ModelVersionRow } from '../tables.ts'
import { checkProvider, findModel, versionsOf } from './model-store.ts'
import { diffOf } from './present.ts'
import type { ModelParts, ModelWriter } from './service.ts'
import { activeVersion, stateOf } from './version-state.ts'
import { nextVersion, type NewVersion } from './wishes.ts'

/** What became of a version. */
interface VersionChange {
  readonly isNew: boolean
  readonly version: number
  readonly state: string
  readonly diff: ReturnType<typeof diffOf>
  readonly replaces: number
}

/** Versions of models: made, never changed; which one is used is what changes. */
export class ModelVersions {
  readonly #parts: Pick<ModelParts, 'db' | 'audit'>

  constructor(parts: Pick<ModelParts, 'db' | 'audit'>) {
    this.#parts = parts
  }

  /** Makes a version, or goes back to one. Throws 404/4048, 412/4120 and 422/4229. */
  async add(modelId: string, wish: NewVersion, writer: ModelWriter): Promise<VersionChange> {
    const { db, audit } = this.#parts
    return db.transaction(async (trx) => {
      const model = await findModel(writer.principal, modelId, trx, true)
      writer.requireMatch(String(model.revision))
      const versions = (await versionsOf([modelId], trx)).get(modelId) ?? []
      const before = activeVersion(versions, Date.now())
      if (!before) throw new Error(`The model ${modelId} has no version`)
      const isNew = wish.activate_version === undefined
      const after = isNew
        ? await this.#make(model, before, wish, writer, trx)
        : await this.#goBack(model, versions, wish, trx)
      const revision = model.revision + 1
      const lastVersion = Math.max(model.lastVersion, after.version)
      await ModelRow.of(model.tenantId, trx).findById(modelId).patch({ revision, lastVersion, updatedAt: new Date() })
      const all = (await versionsOf([modelId], trx)).get(modelId) ?? []
      const made = all.find(({ version }) => version === after.version) ?? after
      const change = { version: made.version, state: stateOf(made, all, Date.now()), diff: diffOf(before, made) }
      const { principal, state } = writer
      const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId }
      const entry = { ...about, target: `ai_model:${modelId}`, before: { version: before.version }, after: change }
      await audit.record({ ...entry, action: isNew ? 'ai_model.version_created' : 'ai_model.version_activated' }, trx)
      return { isNew, ...change, replaces: before.version }
    })
  }

  async #make(
    model: ModelRow,
    before: ModelVersionRow,
    wish: NewVersion,
    { principal }: ModelWriter,
    trx: Knex.Transaction,
  ): Promise<ModelVersionRow> {
    const { activate = true, canary, note = '', effective_from: effectiveFrom } = wish
    const now = Date.now()
    const from = Math.max(now, effectiveFrom === undefined ? 0 : Date.parse(effectiveFrom))
    const until = canary === undefined ? from : Date.parse(canary.until)
    refuseFaults(canary && until <= from ? [faultOf('canary.until', 'later', 'is later than its beginning')] : [])
    refuseFaults(
      wish.price && before.price === null && (wish.price.input === undefined || wish.price.output === undefined)
        ? [faultOf('price', 'whole', 'has input and output: there is no price before')]
        : [],
    )
    const columns = nextVersion(before, wish)
    await checkProvider(principal, model.tenantId, columns.providerId, trx)
    return ModelVersionRow.of(model.tenantId, trx)
      .insert({
        ...{ ...columns, modelId: model.id, version: model.lastVersion + 1, note, createdBy: principal.userId },
        activatesAt: activate ? new Date(until) : null,
        canary: canary
          ? {
              percent: canary.percent,
              from: new Date(from).toISOString(),
              until: new Date(until).toISOString(),
              ...(canary.abort_if_error_rate !== undefined && { abort_if_error_rate: canary.abort_if_error_rate }),
            }
          : null,
      })
      .returning('*')
  }

  /** At once, whatever else was to come: what was scheduled is not, and a canary ends. */
  async #goBack(
    { id, tenantId }: ModelRow,
    versions: readonly ModelVersionRow[],
    { activate_version: wanted, ...others }: NewVersion,
    trx: Knex.Transaction,
  ): Promise<ModelVersionRow> {
    const found = versions.find(({ version }) => version === wanted)
    refuseFaults([
      ...(found ? [] : [faultOf('activate_version', 'known', 'is no version of this model')]),
      ...Object.keys(others).map((field) => faultOf(field, 'alone', 'activate_version stands alone')),
    ])
    const now = new Date()
    const rows = () => ModelVersionRow.of(tenantId, trx).where({ model_id: id })
    const running = versions.filter(({ canary, abortedAt }) => {
      return canary !== null && abortedAt === null && Date.parse(canary.until) > now.getTime()
    })
    await rows()
      .whereIn(
        'version',
        running.map(({ version }) => version),
      )
      .patch({ abortedAt: now })
    await rows().where('activates_at', '>', now).patch({ activatesAt: null })
    const latest = Math.max(
      ...versions.map(({ activatesAt }) => activatesAt?.getTime() ?? 0).filter((at) => at <= +now),
    )
    // Later than the one before, also within one millisecond.
    const activatesAt = new Date(Math.max(now.getTime(), latest + 1))
    await rows().where({ version: wanted }).patch({ activatesAt, abortedAt: null, canary: null })
    return found as ModelVersionRow
  }
}
