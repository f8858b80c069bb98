import type { Knex } from 'knex'
import { AppError, type Logger } from '#kernel'
import type { Again, JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import { DocumentEmptyError, DocumentNotIndexedError, DocumentTooLargeError } from '../errors.ts'
import { mostCharacters, mostChunks, mostPages, mostTerms } from '../limits.ts'
import { readDocument } from '../reading/read-document.ts'
import type { ReadChunk } from '../reading/wire.ts'
import { KnowledgeDocumentRow, type DocumentFailure } from '../tables.ts'
import { enqueueEmbedding } from '../vectors/enqueue-embedding.ts'
import { indexKind } from './enqueue.ts'
import { isPassing } from './fetch-document.ts'
import { openDocument, type DocumentOrigins } from './open-document.ts'
import { replaceChunks } from './replace-chunks.ts'

/** What indexing stands on. */
interface IndexParts extends DocumentOrigins {
  readonly db: Knex
  readonly log: Logger
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** Whether the database can keep and compare vectors. */
  readonly hasVectors: boolean
}

interface Named {
  readonly id: string
}

/** A file that is still being looked at for viruses is asked for again so often. */
const pendingMs = 3_000
/** Each is a process of its own. */
const concurrency = 2
const attempts = 4

/** Reads a document and puts its chunks into the index, in the place of those that it had. */
export function createIndexJob(parts: IndexParts): JobKind<Named> {
  return {
    ...{ kind: indexKind, attempts, concurrency },
    run: (job) => run(parts, job),
    async onLost({ tenantId, payload: { id } }, trx) {
      await fail(trx, tenantId, id, new DocumentNotIndexedError())
    },
  }
}

async function run(parts: IndexParts, job: RunningJob<Named>): Promise<void | Again> {
  const { db, log, jobs, hasVectors } = parts
  const { tenantId, payload, signal } = job
  const row = await KnowledgeDocumentRow.of(tenantId, db).findById(payload.id)
  if (!row) return
  try {
    const document = await openDocument(parts, row, signal)
    if (!document) return { againIn: pendingMs }
    await tell(db, row, 10, job)
    const { kind, content, mimeType, size } = document
    const chunks: ReadChunk[] = []
    let terms = 0
    const keep = (chunk: ReadChunk): void => {
      terms += chunk.terms.length
      if (chunks.length >= mostChunks || terms > mostTerms) throw new DocumentTooLargeError()
      chunks.push(chunk)
    }
    const task = { kind, title: row.title, mostCharacters, mostPages }
    const title = await readDocument(content, task, signal, keep)
    if (chunks.length === 0) throw new DocumentEmptyError()
    await tell(db, row, 60, job)
    const isUnnamed = row.source === 'url' && row.title === row.url?.slice(0, row.title.length)
    const about = { mimeType, size, title: isUnnamed ? (title ?? row.title) : row.title }
    await db.transaction(async (trx) => {
      await job.hold(trx)
      const base = await replaceChunks(trx, row, chunks, about)
      if (base && hasVectors && base.embeddingModel !== null) await enqueueEmbedding(jobs, trx, base)
    })
    await job.progress(100)
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof DocumentNotIndexedError || signal.aborted) throw error
    if (isPassing(error) && job.attempt < attempts) throw error
    log.info({ err: error, document_id: row.id }, 'a document could not be indexed')
    await db.transaction(async (trx) => {
      await job.hold(trx)
      await fail(trx, tenantId, row.id, error)
    })
  }
}

async function tell(db: Knex, row: KnowledgeDocumentRow, progress: number, job: RunningJob): Promise<void> {
  await db.transaction(async (trx) => {
    await job.hold(trx)
    await KnowledgeDocumentRow.of(row.tenantId, trx).findById(row.id).patch({ status: 'indexing', progress })
  })
  await job.progress(progress)
}

async function fail(trx: Knex.Transaction, tenantId: number, id: string, { code, reason, message }: AppError) {
  const error: DocumentFailure = { code, reason, message }
  await KnowledgeDocumentRow.of(tenantId, trx).findById(id).patch({ status: 'failed', error, updatedAt: new Date() })
}
