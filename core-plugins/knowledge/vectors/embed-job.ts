import { AppError } from '#kernel'
import type { AiGateway } from '../../ai/contract.ts'
import type { Again, JobKind, RunningJob } from '../../jobs/contract.ts'
import { EmbeddingModelGoneError } from '../errors.ts'
import { KnowledgeBaseRow } from '../tables.ts'
import { embedTexts } from './embedder.ts'
import { embedKind } from './enqueue-embedding.ts'
import { makeVectorIndex, type VectorIndexParts } from './vector-index.ts'
import { addVectors, beginSet, dropVectors, finishSet, withoutVectors, type VectorSet } from './vector-sets.ts'

/** What making vectors stands on. */
interface EmbedParts extends VectorIndexParts {
  readonly gateway: Pick<AiGateway, 'embed' | 'find'>
}

interface Named {
  readonly id: string
}

/** Chunks in one call, and calls in one turn, after which it is the turn of others. */
const batch = 32
const batchesInTurn = 16
/** That another attempt would not change: no AI here, no such model, no such right, no fitting request. */
const final: ReadonlySet<number> = new Set([4036, 4048, 4031, 4002])

/**
 * Makes the vectors that a knowledge base lacks. Those of another model are made beside the ones that are looked in, and take their place
 * once they are whole.
 */
export function createEmbedJob(parts: EmbedParts): JobKind<Named> {
  return {
    ...{ kind: embedKind, attempts: 8, concurrency: 2, keepSeconds: 600 },
    isFinal: (error) => error instanceof AppError && final.has(error.code),
    async run(job) {
      const base = await KnowledgeBaseRow.of(job.tenantId, parts.db).findById(job.payload.id)
      if (!base) return
      let again: void | Again
      try {
        again = await embedBase(parts, base, job)
      } catch (error) {
        if (error instanceof AppError && !job.signal.aborted) await tell(parts, base, error)
        throw error
      }
      if (again) return again
      const made = await KnowledgeBaseRow.of(job.tenantId, parts.db).findById(base.id)
      if (made) await makeVectorIndex(parts, made)
    },
  }
}

async function embedBase(
  { db, gateway }: EmbedParts,
  base: KnowledgeBaseRow,
  job: RunningJob<Named>,
): Promise<void | Again> {
  if (base.embeddingModel === null) return dropVectors(db, base, job)
  const found = gateway.find(base.embeddingModel, base.tenantId)
  if (!found) throw new EmbeddingModelGoneError({ model: base.embeddingModel })
  const set = await beginSet(db, base, `${found.name}@${String(found.version)}`, job)
  const by = { tenantId: base.tenantId, traceId: job.id, signal: job.signal }
  for (let turn = 0; turn < batchesInTurn; turn++) {
    const chunks = await withoutVectors(db, set, batch)
    if (chunks.length === 0) {
      const isWhole = await finishSet(db, set, job)
      if (isWhole) return
      continue
    }
    const vectors = await embedTexts(gateway, set.model, chunks.map(textOf), by)
    await addVectors(db, set, { ids: chunks.map(({ id }) => id), vectors }, job)
  }
  return { againIn: 0 }
}

function textOf({ title, headings, text }: { title: string; headings: readonly string[]; text: string }): string {
  return [title, ...headings, text].join('\n')
}

/** Keeps why there are no vectors: what is found until then is found by words. */
async function tell({ db, log }: EmbedParts, { id, tenantId }: VectorSet['base'], error: AppError): Promise<void> {
  log.info({ err: error, knowledge_base_id: id }, 'the vectors of a knowledge base could not be made')
  const { code, reason, message } = error
  await KnowledgeBaseRow.of(tenantId, db).findById(id).patch({ vectorError: { code, reason, message } })
}
