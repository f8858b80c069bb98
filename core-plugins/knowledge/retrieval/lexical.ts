import type { Knex } from 'knex'
import { KnowledgeChunkRow, KnowledgeTermRow, type KnowledgeBaseRow } from '../tables.ts'
import { chunkColumns } from './chunk-columns.ts'
import { Scorer, type Corpus } from './bm25.ts'
import { anyOf, indexTerm } from './index-terms.ts'
import { readableBy, type BaseReader } from '../bases/readable-by.ts'
import { questionTerms } from './question-terms.ts'

const occurrences = `(select json_object_agg(lexeme, cardinality(positions)) from unnest(ai_knowledge_chunks.terms)
  where lexeme = any(?)) as occurrences`

/** A chunk that was found, with its document's title. */
export interface FoundChunk extends KnowledgeChunkRow {
  readonly title: string
  readonly occurrences?: Readonly<Record<string, number>> | null
  readonly score: number
}

/** That BM25 looks at. */
const mostCandidates = 200
/** Chunks that the rarest terms may have together, before more frequent ones no longer bring candidates of their own. */
const widestCandidates = 2_000

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
  const corpus = await readCorpus(db, bases, terms)
  const chosen = rarest(corpus)
  if (chosen.length === 0) return []
  const wanted = bases.flatMap(({ number }) => chosen.map((term) => indexTerm(number, term)))
  const all = bases.flatMap(({ number }) => [...corpus.frequencies.keys()].map((term) => indexTerm(number, term)))
  const rows = await candidates(db, bases, { tenantId: first.tenantId, wanted: anyOf(wanted), all, reader })
  const scorer = new Scorer(terms, corpus)
  return rows
    .map((row) => {
      const counts = Object.entries(row.occurrences ?? {}).map(
        ([term, count]) => [term.slice(term.indexOf(':') + 1), count] as const,
      )
      return Object.assign(row, { score: Math.min(1, scorer.score(new Map(counts), row.termCount)) })
    })
    .sort((a, b) => b.score - a.score || a.position - b.position || (a.id < b.id ? -1 : 1))
}

async function candidates(
  db: Knex,
  bases: readonly KnowledgeBaseRow[],
  {
    tenantId,
    wanted,
    all,
    reader,
  }: {
    readonly tenantId: number
    readonly wanted: string
    readonly all: string[]
    readonly reader: BaseReader | undefined
  },
): Promise<FoundChunk[]> {
  const query = KnowledgeChunkRow.of(tenantId, db)
    .join('ai_knowledge_bases', 'ai_knowledge_bases.id', 'ai_knowledge_chunks.base_id')
    .join('ai_knowledge_documents', 'ai_knowledge_documents.id', 'ai_knowledge_chunks.document_id')
    .whereIn(
      'ai_knowledge_chunks.base_id',
      bases.map(({ id }) => id),
    )
    .whereRaw('ai_knowledge_chunks.terms @@ ?::tsquery', [wanted])
    .select(db.raw(`${chunkColumns}, ai_knowledge_documents.title, ${occurrences}`, [all]))
    .orderByRaw('ts_rank(ai_knowledge_chunks.terms, ?::tsquery) desc', [wanted])
    .limit(mostCandidates)
  return (await (reader ? readableBy(query, reader) : query)) as unknown as FoundChunk[]
}

async function readCorpus(db: Knex, bases: readonly KnowledgeBaseRow[], terms: readonly string[]): Promise<Corpus> {
  const [first] = bases
  const rows = await KnowledgeTermRow.of(first?.tenantId ?? 0, db)
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
