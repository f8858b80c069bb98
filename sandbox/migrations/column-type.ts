import type { Reader } from './reader.ts'

/** A column's type as it is written out; `identity` for those that count by themselves. */
export interface ColumnType {
  readonly sql: string
  readonly identity?: true
}

/** As exact as times are shown: what a plugin read is then what it finds again. */
const milliseconds = '(3)'

/** Types by the name an author writes, with the length or precision each may have. */
const types: Readonly<Record<string, { readonly sql: string; readonly length?: number; readonly scale?: number }>> = {
  smallint: { sql: 'smallint' },
  int2: { sql: 'smallint' },
  integer: { sql: 'integer' },
  int: { sql: 'integer' },
  int4: { sql: 'integer' },
  bigint: { sql: 'bigint' },
  int8: { sql: 'bigint' },
  real: { sql: 'real' },
  numeric: { sql: 'numeric', length: 100, scale: 50 },
  decimal: { sql: 'numeric', length: 100, scale: 50 },
  boolean: { sql: 'boolean' },
  bool: { sql: 'boolean' },
  text: { sql: 'text' },
  varchar: { sql: 'varchar', length: 100_000 },
  char: { sql: 'char', length: 1_000 },
  uuid: { sql: 'uuid' },
  date: { sql: 'date' },
  time: { sql: 'time' },
  timestamp: { sql: `timestamp${milliseconds}` },
  timestamptz: { sql: `timestamptz${milliseconds}` },
  interval: { sql: 'interval' },
  json: { sql: 'json' },
  jsonb: { sql: 'jsonb' },
  bytea: { sql: 'bytea' },
}

/** Reads a type of the allow-list. */
export function readType(reader: Reader): ColumnType {
  if (reader.accepts('double', 'precision')) return array(reader, 'double precision')
  if (reader.accepts('character', 'varying')) return array(reader, `varchar${sizeOf(reader, 100_000)}`)
  const word = reader.next.kind === 'word' ? reader.next.text.toLowerCase() : ''
  if (word === 'serial' || word === 'bigserial') {
    reader.take()
    return { sql: word === 'serial' ? 'integer' : 'bigint', identity: true }
  }
  const type = Object.hasOwn(types, word) ? types[word] : undefined
  if (!type) return reader.refuse(`a type of ${Object.keys(types).join(', ')}, double precision, serial, bigserial`)
  reader.take()
  if (word === 'time') return array(reader, `time${zoneOf(reader)}`)
  if (word === 'timestamp') return array(reader, `timestamp${milliseconds}${zoneOf(reader)}`)
  return array(reader, type.length === undefined ? type.sql : `${type.sql}${sizeOf(reader, type.length, type.scale)}`)
}

function sizeOf(reader: Reader, longest: number, scale?: number): string {
  if (!reader.accepts('(')) return ''
  const length = Math.max(1, reader.whole(longest))
  const decimals = scale !== undefined && reader.accepts(',') ? `, ${reader.whole(scale)}` : ''
  reader.expect(')')
  return `(${length}${decimals})`
}

function zoneOf(reader: Reader): string {
  if (reader.accepts('with', 'time', 'zone')) return ' with time zone'
  reader.accepts('without', 'time', 'zone')
  return ''
}

function array(reader: Reader, sql: string): ColumnType {
  return { sql: reader.accepts('[', ']') ? `${sql}[]` : sql }
}
