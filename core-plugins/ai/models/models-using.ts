import type { Knex } from 'knex'
import { ModelRow, ModelVersionRow } from '../tables.ts'
import { activeVersion, canaryVersion } from './version-state.ts'

/** The names of the models that a provider is used by now, or later. */
export async function modelsUsing(providerId: string, db: Knex): Promise<readonly string[]> {
  const models = await ModelRow.acrossTenants(db)
    .whereNull('deleted_at')
    .whereIn('id', ModelVersionRow.acrossTenants(db).where({ provider_id: providerId }).select('model_id'))
  const now = Date.now()
  const versions = await ModelVersionRow.acrossTenants(db).whereIn(
    'model_id',
    models.map(({ id }) => id),
  )
  const byModel = Map.groupBy(versions, ({ modelId }) => modelId)
  return models
    .filter(({ id }) => {
      const all = byModel.get(id) ?? []
      const used = [activeVersion(all, now), canaryVersion(all, now)]
      return all.some((version) => {
        const isToCome = version.activatesAt !== null && version.activatesAt.getTime() > now
        return version.providerId === providerId && (isToCome || used.includes(version))
      })
    })
    .map(({ name }) => name)
}
