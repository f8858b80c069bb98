import type { Reader } from './reader.ts'
import { readType } from './column-type.ts'

/** Functions that compute from their arguments alone, and the two that make a time and an id. Nothing that grows its input. */
const functions: ReadonlySet<string> = new Set([
  ...['now', 'gen_random_uuid', 'lower', 'upper', 'coalesce', 'length', 'nullif', 'abs', 'round', 'btrim'],
])
const clocks: ReadonlySet<string> = new Set(['current_timestamp', 'current_date'])
const constants: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const comparisons = ['=', '<>', '!=', '<', '<=', '>', '>=']
const operators = ['->>', '->', '+', '-', '*', '/', '%']

/** A name as PostgreSQL reads it: always quoted, so that no name is ever a key word. */
export function quoted(name: string): string {
  return `"${name}"`
}

/** Whether columns may be named: a default has none. */
type Columns = 'columns' | 'no columns'

/** Reads an expression and writes it anew: what the subset does not know cannot come out. */
export function readExpression(reader: Reader, columns: Columns = 'columns'): string {
  return reader.nested(() => {
    let sql = readConjunction(reader, columns)
    while (reader.accepts('or')) sql += ` or ${readConjunction(reader, columns)}`
    return sql
  })
}

/** Reads what a column has when nothing is said: constants, operators and allowed functions. */
export function readDefault(reader: Reader): string {
  return `(${readSum(reader, 'no columns')})`
}

function readConjunction(reader: Reader, columns: Columns): string {
  let sql = readNegation(reader, columns)
  while (reader.accepts('and')) sql += ` and ${readNegation(reader, columns)}`
  return sql
}

function readNegation(reader: Reader, columns: Columns): string {
  if (!reader.accepts('not')) return readComparison(reader, columns)
  return reader.nested(() => `not (${readNegation(reader, columns)})`)
}

function readComparison(reader: Reader, columns: Columns): string {
  const left = readSum(reader, columns)
  const operator = comparisons.find((symbol) => reader.accepts(symbol))
  if (operator) return `${left} ${operator} ${readSum(reader, columns)}`
  if (reader.accepts('is')) return `${left} is ${reader.accepts('not') ? 'not ' : ''}${readTruth(reader)}`
  const not = reader.accepts('not') ? 'not ' : ''
  if (reader.accepts('in')) return `${left} ${not}in (${reader.list(() => readSum(reader, columns)).join(', ')})`
  if (reader.accepts('like')) return `${left} ${not}like ${readSum(reader, columns)}`
  if (reader.accepts('between')) {
    const low = readSum(reader, columns)
    reader.expect('and')
    return `${left} ${not}between ${low} and ${readSum(reader, columns)}`
  }
  return not ? reader.refuse('in, like or between') : left
}

function readTruth(reader: Reader): string {
  const word = ['null', 'true', 'false'].find((constant) => reader.accepts(constant))
  return word ?? reader.refuse('null, true or false')
}

function readSum(reader: Reader, columns: Columns): string {
  let sql = readOperand(reader, columns)
  for (;;) {
    const operator = operators.find((symbol) => reader.accepts(symbol))
    if (!operator) return sql
    sql += ` ${operator} ${readOperand(reader, columns)}`
  }
}

function readOperand(reader: Reader, columns: Columns): string {
  let sql = readAtom(reader, columns)
  while (reader.accepts('::')) sql += `::${readType(reader).sql}`
  return sql
}

function readAtom(reader: Reader, columns: Columns): string {
  if (reader.accepts('-')) return `(- ${reader.nested(() => readAtom(reader, columns))})`
  if (reader.accepts('(')) {
    const inner = readExpression(reader, columns)
    reader.expect(')')
    return `(${inner})`
  }
  const { kind, text } = reader.next
  if (kind === 'number') return reader.take().text
  if (kind === 'string') return literal(reader.take().text)
  if (kind !== 'word') return reader.refuse('a value')
  const word = text.toLowerCase()
  if (constants.has(word) || clocks.has(word)) {
    reader.take()
    return word
  }
  if (reader.sees(word, '(')) return readCall(reader, word, columns)
  return columns === 'columns' ? quoted(reader.name('a column')) : reader.refuse('a constant or an allowed function')
}

function readCall(reader: Reader, name: string, columns: Columns): string {
  if (!functions.has(name)) return reader.refuse(`one of the functions ${[...functions].join(', ')}`)
  reader.take()
  if (reader.accepts('(', ')')) return `${name}()`
  return `${name}(${reader.list(() => readExpression(reader, columns)).join(', ')})`
}

/** A string as PostgreSQL reads it; a question mark is escaped, because knex takes a bare one for a binding. */
function literal(text: string): string {
  const doubled = text.replaceAll("'", "''")
  if (!/[\\?]/.test(text)) return `'${doubled}'`
  return `E'${doubled.replaceAll('\\', '\\\\').replaceAll('?', '\\x3F')}'`
}
