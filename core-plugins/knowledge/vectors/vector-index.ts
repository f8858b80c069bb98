import type { Knex } from 'knex'
import { runLong, type Locks, type Logger } from '#kernel'
import { KnowledgeBaseRow } from '../tables.ts'

/** A look at all vectors of a smaller knowledge base is exact, and fast enough. */
export const indexedFrom = 20_000
/** What pgvector's HNSW takes of numbers of 4 bytes, and of 2. */
const mostOfVector = 2_000
const mostOfHalfvec = 4_000

const table = 'ai_knowledge_vectors'
const prefix = 'ai_knowledge_hnsw_'
const lockName = 'knowledge.vector_indexes'
/** Some other index may be made meanwhile. */
const patienceMs = 5_000

/** What making indexes stands on. */
export interface VectorIndexParts {
  readonly db: Knex
  readonly log: Logger
  readonly locks: Locks
}

/** A set of vectors of one knowledge base, of one dimension. */
type IndexedSet = Pick<KnowledgeBaseRow, 'id' | 'vectorVersion' | 'vectorDimension'>

/**
 * What the index of a knowledge base is over, as SQL: the vectors as pgvector's type of so many dimensions. Undefined where it can index
 * no such vectors.
 */
export function indexedColumn(dimension: number): { readonly sql: string; readonly type: string } | undefined {
  if (dimension > mostOfHalfvec) return undefined
  const type = `${dimension > mostOfVector ? 'halfvec' : 'vector'}(${String(dimension)})`
  return { sql: `(embedding::${type})`, type }
}

/** Whether a knowledge base is looked in through an index, as soon as it has one. */
export function isIndexed({ chunkCount, vectorDimension }: KnowledgeBaseRow): boolean {
  return chunkCount >= indexedFrom && vectorDimension !== null && indexedColumn(vectorDimension) !== undefined
}

/**
 * Makes the HNSW index that the vectors of a large knowledge base lack, beside those who read and write. It is of this knowledge base alone,
 * so that no other one's vectors are on the way through it. Throws 409/4092 while another index is made.
 */
export async function makeVectorIndex({ db, log, locks }: VectorIndexParts, base: KnowledgeBaseRow): Promise<void> {
  const column = isIndexed(base) ? indexedColumn(base.vectorDimension ?? 0) : undefined
  if (!column || (await isMade(db, base))) return
  const [operators] = column.type.split('(')
  await locks.withLock(
    lockName,
    async () => {
      const name = nameOf(base)
      // One that was begun and broken off is there, and of no use.
      if (await isMade(db, base)) return
      await runLong(db, `drop index concurrently if exists "${name}"`)
      const began = Date.now()
      await runLong(
        db,
        `create index concurrently "${name}" on ${table} using hnsw (${column.sql} ${operators ?? ''}_cosine_ops)
          where base_id = '${base.id}' and version = ${String(base.vectorVersion)}`,
      )
      log.info({ knowledge_base_id: base.id, ms: Date.now() - began }, 'the vectors of a knowledge base were indexed')
    },
    { waitMs: patienceMs },
  )
}

/** Drops the indexes of vectors that are gone: of deleted knowledge bases, and of models before the present one. */
export async function dropOldIndexes({ db, locks }: VectorIndexParts): Promise<void> {
  const names = await indexNames(db)
  if (names.length === 0) return
  const bases = await KnowledgeBaseRow.acrossTenants(db)
    .whereIn('id', [...new Set(names.map(baseOf))])
    .select('id', 'vector_version', 'vector_dimension', 'chunk_count')
  const wanted = new Set(bases.filter(isIndexed).map(nameOf))
  const old = names.filter((name) => !wanted.has(name))
  if (old.length === 0) return
  await locks.withLock(lockName, async () => {
    for (const name of old) await runLong(db, `drop index concurrently if exists "${name}"`)
  })
}

/** Whether the index of a set is whole. */
export async function isMade(db: Knex, set: IndexedSet): Promise<boolean> {
  const { rows } = await db.raw<{ rows: object[] }>(
    `select 1 from pg_index where indexrelid = to_regclass(quote_ident(?)) and indisvalid`,
    [nameOf(set)],
  )
  return rows.length > 0
}

async function indexNames(db: Knex): Promise<readonly string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = to_regclass(?) and starts_with(relname, ?)`,
    [table, prefix],
  )
  return rows.map(({ name }) => name)
}

function nameOf({ id, vectorVersion }: IndexedSet): string {
  return `${prefix}${id}_${String(vectorVersion)}`
}

function baseOf(name: string): string {
  return name.slice(prefix.length, name.lastIndexOf('_'))
}
