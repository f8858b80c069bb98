import type { Knex } from 'knex'
import { AppError, type Logger } from '#kernel'
import type { AiGateway } from '../../ai/contract.ts'
import type { BaseReader } from '../bases/readable-by.ts'
import type { KnowledgeFound } from '../contract.ts'
import type { KnowledgeBaseRow } from '../tables.ts'
import { embedTexts } from '../vectors/embedder.ts'
import type { FoundChunk } from './lexical.ts'
import { searchSimilar } from './similar.ts'

/** Who looks. */
export interface SimilarAsker {
  readonly userId?: number | undefined
  readonly agentId?: string | undefined
  readonly keyId?: string | undefined
  readonly traceId: string
  readonly signal?: AbortSignal | undefined
}

/** What was found by vectors, or why words alone had to do. */
interface FoundSimilar extends Omit<KnowledgeFound, 'chunks'> {
  readonly chunks: readonly FoundChunk[]
}

interface SimilarParts {
  readonly db: Knex
  readonly log: Logger
  readonly gateway: Pick<AiGateway, 'embed'>
  readonly isAvailable: boolean
}

/** A question waits no longer for its vector; words find something meanwhile. */
const mostWaitMs = 3_000
/** Knowledge bases of more models than that in one look are looked in by words. */
const mostModels = 3

/** Looks by vectors, where the database has pgvector and a knowledge base has vectors. */
export class SimilarSearch {
  readonly #parts: SimilarParts

  constructor(parts: SimilarParts) {
    this.#parts = parts
  }

  /** Asks the models of the knowledge bases for the question's vector; what fails there is told as `fallback`, never thrown. */
  async search(
    all: readonly KnowledgeBaseRow[],
    text: string,
    reader: BaseReader | undefined,
    by: SimilarAsker,
  ): Promise<FoundSimilar> {
    // One that is for words alone from now on may still have vectors, until a job takes them away.
    const bases = all.filter(({ embeddingModel }) => embeddingModel !== null)
    const models = new Set(
      bases.flatMap(({ vectorModel, vectorDimension }) => (vectorDimension ? (vectorModel ?? []) : [])),
    )
    if (!this.#parts.isAvailable || models.size === 0) return { mode: 'lexical', fallback: null, chunks: [] }
    const looks = [...models].slice(0, mostModels).map((model) => this.#searchBy(model, bases, text, reader, by))
    const outcomes = await Promise.all(looks)
    const chunks = outcomes.flatMap((outcome) => ('chunks' in outcome ? outcome.chunks : []))
    const fallback = outcomes.find((outcome) => 'fallback' in outcome)?.fallback ?? null
    const isHybrid = outcomes.some((outcome) => 'chunks' in outcome)
    const ordered = outcomes.length > 1 ? chunks.sort((a, b) => b.score - a.score) : chunks
    return { mode: isHybrid ? 'hybrid' : 'lexical', fallback, chunks: ordered }
  }

  async #searchBy(
    model: string,
    bases: readonly KnowledgeBaseRow[],
    text: string,
    reader: BaseReader | undefined,
    { signal, ...by }: SimilarAsker,
  ): Promise<{ readonly chunks: FoundChunk[]; readonly fallback?: never } | { readonly fallback: string }> {
    const { db, log, gateway } = this.#parts
    const tenantId = bases[0]?.tenantId ?? 0
    const patience = AbortSignal.timeout(mostWaitMs)
    const waits = signal ? AbortSignal.any([signal, patience]) : patience
    try {
      const [vector = []] = await embedTexts(gateway, model, [text], { ...by, tenantId, signal: waits })
      return { chunks: [...(await searchSimilar(db, bases, { model, vector }, reader))] }
    } catch (error) {
      signal?.throwIfAborted()
      log.info({ err: error, model }, 'a question was looked for by words alone')
      return { fallback: error instanceof AppError ? error.reason : 'embedding_failed' }
    }
  }
}
