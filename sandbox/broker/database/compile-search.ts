import type { Piece } from './compile-conditions.ts'
import { shownAs, type OutputColumn } from './output-column.ts'
import { listOf, oneOf, recordOf, statementFault } from './statement-fault.ts'
import { checkAlias, type StatementNames } from './statement-names.ts'

const maxColumns = 8
const maxText = 500
const maxWords = 32
/** Texts of languages that the server knows the forms of words of; `simple` compares words as they are. */
const languages = [
  ...(['simple', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'hungarian', 'italian'] as const),
  ...(['norwegian', 'portuguese', 'romanian', 'russian', 'spanish', 'swedish', 'turkish'] as const),
] as const
/** What is written without spaces between words: each character is a word of its own. */
const unspaced =
  '\\u2e80-\\u2fdf\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff'
/**
 * What the server reads together with the words around it, as an e-mail, a host, a path or a number: each of them ends a word here, as it does
 * in what is searched for. Markup keeps its slash, so that the server goes on leaving tags out. No question mark, which would be a binding.
 */
const joining = '[-@._:+~]|(\\u003f<!<)/'
const runs = new RegExp(`([${unspaced}]+)|((?:(?![${unspaced}])[\\p{L}\\p{N}])+)`, 'gu')

/** A search, and how well a row meets it where the statement asks for that. */
interface CompiledSearch {
  readonly condition: Piece
  readonly rank: { readonly output: OutputColumn; readonly bindings: Piece['bindings'] } | undefined
}

/** Compiles a search for words in columns of text. Of what was typed only letters and digits are left, so nothing in it means anything. */
export function compileSearch(value: unknown, names: StatementNames): CompiledSearch | undefined {
  if (value === undefined || value === null) return undefined
  const { columns, text, language, match, prefix, as } = recordOf(value, 'A search')
  const searched = listOf(columns, 'The columns of a search', maxColumns).map((name) => names.column(name))
  if (searched.length === 0 || searched.some(({ family, isArray }) => family !== 'text' || isArray))
    throw statementFault('A search needs columns of text')
  if (typeof text !== 'string' || text.length > maxText)
    throw statementFault(`A search needs a text of at most ${maxText} characters`)
  const how = oneOf(match ?? 'all', ['all', 'any'], 'match')
  const config = `'${oneOf(language ?? 'simple', languages, 'The language')}'::regconfig`
  const query = writeQuery(text, how === 'all' ? ' & ' : ' | ', prefix === true)
  if (query === undefined)
    return { condition: { sql: 'false', bindings: [] }, rank: as === undefined ? undefined : noRank(as) }
  const whole = searched.map(({ sql }) => `coalesce(${sql}, '')`).join(` || ' ' || `)
  const vector = `to_tsvector(${config}, regexp_replace(${whole}, E'([${unspaced}])|${joining}', E' \\\\1 ', 'g'))`
  const condition = { sql: `${vector} @@ to_tsquery(${config}, ?)`, bindings: [query] }
  if (as === undefined || as === null) return { condition, rank: undefined }
  return {
    condition,
    rank: { output: rankAs(as, `ts_rank(${vector}, to_tsquery(${config}, ?))::float8`), bindings: [query] },
  }
}

function rankAs(as: unknown, sql: string): OutputColumn {
  return shownAs({ name: checkAlias(as), sql, family: 'float', isArray: false, isNullable: false })
}

function noRank(as: unknown): CompiledSearch['rank'] {
  return { output: rankAs(as, '0::float8'), bindings: [] }
}

/** Words, each of them letters and digits alone; characters that stand together without spaces must stand so in the text, too. */
function writeQuery(text: string, between: string, isPrefix: boolean): string | undefined {
  const words = [...text.normalize('NFKC').toLowerCase().matchAll(runs)].slice(0, maxWords)
  if (words.length === 0) return undefined
  return words
    .map(([word, run], index) => {
      const end = isPrefix && index === words.length - 1 ? ':*' : ''
      return run === undefined ? `${word}${end}` : `(${[...run].join(' <-> ')})`
    })
    .join(between)
}
