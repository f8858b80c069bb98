import type { Knex } from 'knex'
import { KnowledgeChunkRow, KnowledgeIndexRow, KnowledgeTermRow, type KnowledgeBaseRow } from '../tables.ts'
import { atOneMoment } from './at-one-moment.ts'
import { chunkColumns } from './chunk-columns.ts'
import { Scorer, type Corpus } from './bm25.ts'
import { anyOf, hashedTerm, indexTerm } from './index-terms.ts'
import { readableBy, type BaseReader } from '../bases/readable-by.ts'
import { questionTerms } from './question-terms.ts'

const occurrences = `(select json_object_agg(lexeme, cardinality(positions)) from unnest(ai_knowledge_chunks.terms)
  where lexeme = any(?)) as occurrences`

/** A chunk that was found, with its document's title. */
export interface FoundChunk extends KnowledgeChunkRow {
  readonly title: string
  readonly score: number
}

/** A chunk as it is scored. */
interface Candidate extends Pick<KnowledgeChunkRow, 'id' | 'position' | 'termCount'> {
  readonly occurrences: Readonly<Record<string, number>> | null
}

/** That BM25 looks at, and of which the text is read. */
const mostCandidates = 200
const mostFound = 60
/** Chunks that the rarest terms may have together, before more frequent ones no longer bring candidates of their own. */
const widestCandidates = 2_000
/** Of a question that is one frequent word: which of its chunks are looked at says little then. */
const mostLookedAt = 10_000

/** Looks in knowledge bases of one tenant by terms; for everything there is where nobody reads, in which case the caller has checked. */
export async function searchLexically(
  db: Knex,
  bases: readonly KnowledgeBaseRow[],
  question: string,
  reader: BaseReader | undefined,
): Promise<readonly FoundChunk[]> {
  const terms = questionTerms(question)
  const [first] = bases
  if (!first || terms.length === 0) return []
  return atOneMoment(db, async (trx) => {
    const corpus = await readCorpus(trx, bases, terms)
    const chosen = rarest(corpus)
    if (chosen.length === 0) return []
    const ids = await findChunks(trx, bases, chosen)
    const candidates = await readCandidates(trx, bases, { ids, chosen, all: [...corpus.frequencies.keys()], reader })
    return readChunks(trx, first.tenantId, bestOf(candidates, terms, corpus))
  })
}

/** The candidates with the highest scores, best first. */
function bestOf(candidates: readonly Candidate[], terms: readonly string[], corpus: Corpus) {
  const scorer = new Scorer(terms, corpus)
  return candidates
    .map(({ id, position, termCount, occurrences: found }) => {
      const counts = Object.entries(found ?? {}).map(
        ([term, count]) => [term.slice(term.indexOf(':') + 1), count] as const,
      )
      return { id, position, score: Math.min(1, scorer.score(new Map(counts), termCount)) }
    })
    .sort((a, b) => b.score - a.score || a.position - b.position || (a.id < b.id ? -1 : 1))
    .slice(0, mostFound)
}

/** Chunks with at least one of some terms, by the index; before it has seen many rows the planner would look at them all. */
async function findChunks(
  trx: Knex.Transaction,
  bases: readonly KnowledgeBaseRow[],
  terms: readonly string[],
): Promise<readonly string[]> {
  const hashed = bases.flatMap(({ salt }) => terms.map((term) => hashedTerm(salt, term)))
  await trx.raw('set local enable_seqscan = off')
  const rows = await KnowledgeIndexRow.with(trx)
    .whereRaw('terms @@ ?::tsquery', [anyOf(hashed)])
    .select('chunk_id')
    .limit(mostLookedAt)
  await trx.raw('set local enable_seqscan = on')
  return rows.map(({ chunkId }) => chunkId)
}

/** Those of them that a reader may read and that have the most of the terms. */
async function readCandidates(
  trx: Knex.Transaction,
  bases: readonly KnowledgeBaseRow[],
  {
    ids,
    chosen,
    all,
    reader,
  }: {
    readonly ids: readonly string[]
    readonly chosen: readonly string[]
    readonly all: readonly string[]
    readonly reader: BaseReader | undefined
  },
): Promise<readonly Candidate[]> {
  const named = (terms: readonly string[]) =>
    bases.flatMap(({ number }) => terms.map((term) => indexTerm(number, term)))
  const query = KnowledgeChunkRow.of(bases[0]?.tenantId ?? 0, trx)
    .join('ai_knowledge_bases', 'ai_knowledge_bases.id', 'ai_knowledge_chunks.base_id')
    // They are few beside those of their knowledge base, which the planner must not begin with.
    .whereRaw(`ai_knowledge_chunks.id = any(?::text[]) and ai_knowledge_chunks.base_id || '' = any(?::text[])`, [
      [...ids],
      bases.map(({ id }) => id),
    ])
    .select('ai_knowledge_chunks.id', 'position', 'ai_knowledge_chunks.term_count', trx.raw(occurrences, [named(all)]))
    .orderByRaw('ts_rank(ai_knowledge_chunks.terms, ?::tsquery) desc', [anyOf(named(chosen))])
    .limit(mostCandidates)
  return (await (reader ? readableBy(query, reader) : query)) as unknown as readonly Candidate[]
}

/** Chunks whole, in the order in which they are named. */
async function readChunks(
  trx: Knex.Transaction,
  tenantId: number,
  scored: readonly { readonly id: string; readonly score: number }[],
): Promise<readonly FoundChunk[]> {
  const rows = (await KnowledgeChunkRow.of(tenantId, trx)
    .join('ai_knowledge_documents', 'ai_knowledge_documents.id', 'ai_knowledge_chunks.document_id')
    .whereIn(
      'ai_knowledge_chunks.id',
      scored.map(({ id }) => id),
    )
    .select(trx.raw(`${chunkColumns}, ai_knowledge_documents.title`))) as unknown as FoundChunk[]
  const found = new Map(rows.map((row) => [row.id, row]))
  return scored.flatMap(({ id, score }) => {
    const row = found.get(id)
    return row ? [Object.assign(row, { score })] : []
  })
}

async function readCorpus(
  trx: Knex.Transaction,
  bases: readonly KnowledgeBaseRow[],
  terms: readonly string[],
): Promise<Corpus> {
  const [first] = bases
  const rows = await KnowledgeTermRow.of(first?.tenantId ?? 0, trx)
    .whereIn(
      'base_id',
      bases.map(({ id }) => id),
    )
    .whereIn('term', [...terms])
  const frequencies = new Map<string, number>()
  for (const { term, chunks } of rows) frequencies.set(term, (frequencies.get(term) ?? 0) + chunks)
  return {
    chunks: bases.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
    terms: bases.reduce((sum, { termCount }) => sum + Number(termCount), 0),
    frequencies,
  }
}

/** The rarest terms, as many as together have few enough chunks; at least one that is there. */
function rarest({ frequencies }: Corpus): readonly string[] {
  const byRarity = [...frequencies].sort(([, a], [, b]) => a - b)
  let together = 0
  return byRarity.filter(([, chunks], at) => (together += chunks) <= widestCandidates || at === 0).map(([term]) => term)
}
