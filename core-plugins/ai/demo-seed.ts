import type { Knex } from 'knex'
import { createSortableId, lockUntilCommit } from '#kernel'
import { ModelNameRow, ModelRow, ModelVersionRow, ProviderRow } from './tables.ts'

/** As the demo calls its one model. */
const upstreamModel = 'stoa-demo'

const models = [
  { name: 'demo', kind: 'chat', displayName: 'Demo (no real model)', capabilities: { stream: true, tools: true } },
  { name: 'demo-embedding', kind: 'embedding', displayName: 'Demo vectors (no real model)', capabilities: {} },
] as const

/**
 * Gives an installation without a provider one that answers without a key, and its models, for the platform and so for every tenant. Once:
 * what an administrator deletes stays away.
 */
export async function seedDemo(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    await lockUntilCommit(trx, 'ai.demo')
    const isThere = await ProviderRow.acrossTenants(trx).resultSize()
    if (isThere > 0) return
    const providerId = createSortableId('prv')
    const provider = { id: providerId, code: 'demo', name: 'Demo (no real model)', type: 'demo' as const }
    await ProviderRow.of(0, trx).insert({ ...provider, settings: {}, headers: {}, timeouts: {}, limits: {} })
    for (const { name, kind, displayName, capabilities } of models) {
      const id = createSortableId('mdl')
      const head = { aliases: [], tags: ['demo'], status: 'active' as const, lastVersion: 1 }
      await ModelRow.of(0, trx).insert({ ...head, id, name, kind, displayName, capabilities })
      await ModelNameRow.of(0, trx).insert({ name, modelId: id })
      await ModelVersionRow.of(0, trx).insert({
        ...{ modelId: id, version: 1, providerId, upstreamModel, tokenizer: null, params: {}, dropParams: [] },
        ...{ contextWindow: 32_000, maxOutputTokens: 4_000, defaultOutputTokens: 1_000 },
        // It costs nothing, and so may be called under any budget.
        ...{ price: { input: 0, output: 0 }, note: '', activatesAt: new Date() },
      })
    }
  })
}
