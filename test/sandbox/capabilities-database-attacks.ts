/** One statement of an attacker, by what it tries. */
export interface StatementAttack {
  readonly tries: string
  readonly statement: Readonly<Record<string, unknown>>
}

const names = [
  ...['secrets', 'pg_roles', 'pg_catalog.pg_roles', 'information_schema.tables', 'public.secrets', '"secrets"'],
  ...['notes"', 'notes; drop table secrets', 'notes" as x, secrets as "y', 'notes--', 'notes/*', 'NOTES', 'Notes'],
  ...['notes ', ' notes', 'notes\0', '', 'plg_00000000_notes', '__proto__', 'constructor', 'hasOwnProperty', 'nótes'],
  ...['?', '??', ':notes', 'excluded', 'page', '"Page"', 'a'.repeat(64)],
]
const columns = [
  ...['title"', 'title" from secrets --', '*, secret', 'secrets.secret', 'notes.title.id', 'pg_sleep(5)', 'title, id'],
  ...[
    "title' or '1'='1",
    'title; select 1',
    '(select secret from secrets)',
    'TITLE',
    'ctid',
    'xmin',
    'tableoid',
    'oid',
  ],
  ...[
    '__proto__',
    'constructor',
    'notes."title"',
    'notes.',
    '.title',
    '..',
    '',
    'title::text',
    'title\0',
    'title?',
    '1',
  ],
]
const operators = ['or 1=1 --', '= any', '~', '!~~', 'similar to', '=1 or', 'IN', 'is', '; drop table', '||', '@>', '']
const functions = ['stddev', 'count(*) from secrets --', 'pg_sleep', 'string_agg', 'COUNT', 'set_config', '']
const aliases = ['n"', 'n" from secrets --', 'N', 'a b', '', '__proto__', '1n']

const select = (parts: object): Readonly<Record<string, unknown>> => ({ table: 'notes', operation: 'select', ...parts })
/** A select with one condition. */
export const where = (column: unknown, operator: unknown, value?: unknown): Readonly<Record<string, unknown>> =>
  select({ where: [{ column, operator, value }] })

/** A condition so many groups deep. */
function nested(depth: number): object {
  return depth === 0 ? { column: 'id', operator: '=', value: 1 } : { group: [nested(depth - 1)] }
}

/** Names, operators and shapes that must be refused before anything is sent. */
export const refusedStatements: readonly StatementAttack[] = [
  ...names.map((table) => ({ tries: `table ${table}`, statement: { table, operation: 'select' } })),
  ...names.map((table) => ({
    tries: `join ${table}`,
    statement: select({ join: [{ table, left: 'id', right: `${table}.id` }] }),
  })),
  ...columns.map((column) => ({ tries: `column ${column}`, statement: select({ columns: [column] }) })),
  ...columns.map((column) => ({ tries: `condition on ${column}`, statement: where(column, '=', 1) })),
  ...columns.map((column) => ({ tries: `order by ${column}`, statement: select({ orderBy: [{ column }] }) })),
  ...columns.map((column) => ({ tries: `group by ${column}`, statement: select({ groupBy: [column] }) })),
  ...columns.map((column) => ({
    tries: `insert into ${column}`,
    statement: { table: 'notes', operation: 'insert', values: [Object.fromEntries([[column, 1]])] },
  })),
  ...columns.map((column) => ({
    tries: `upsert on ${column}`,
    statement: { table: 'notes', operation: 'upsert', values: [{ title: 'a' }], conflict: [column] },
  })),
  ...operators.map((operator) => ({ tries: `operator ${operator}`, statement: where('title', operator, 'x') })),
  ...functions.map((fn) => ({
    tries: `function ${fn}`,
    statement: select({ aggregates: [{ fn, column: 'stars', as: 'n' }] }),
  })),
  ...aliases.map((as) => ({ tries: `alias ${as}`, statement: select({ aggregates: [{ fn: 'count', as }] }) })),
  ...['drop', 'truncate', 'SELECT', 'select; drop', '', '__proto__'].map((operation) => ({
    tries: `operation ${operation}`,
    statement: { table: 'notes', operation },
  })),
  ...[-1, 1.5, '1; drop', 1e21, {}, []].map((limit) => ({
    tries: `offset ${JSON.stringify(limit)}`,
    statement: select({ offset: limit }),
  })),
  ...['desc; drop', 'ASC', 'nulls first', 1].map((direction) => ({
    tries: `direction ${direction}`,
    statement: select({ orderBy: [{ column: 'id', direction }] }),
  })),
  {
    tries: 'a row of another tenant',
    statement: { table: 'notes', operation: 'insert', values: [{ title: 'a', tenant_id: 2 }] },
  },
  { tries: 'a move to another tenant', statement: { table: 'notes', operation: 'update', values: [{ tenant_id: 2 }] } },
  {
    tries: 'an upsert to another tenant',
    statement: { table: 'notes', operation: 'upsert', values: [{ title: 'a', tenant_id: 2 }], conflict: ['title'] },
  },
  {
    tries: 'a delete with a join',
    statement: { table: 'notes', operation: 'delete', join: [{ table: 'lines', left: 'id', right: 'lines.id' }] },
  },
  {
    tries: 'an update with an order',
    statement: { table: 'notes', operation: 'update', values: [{ stars: 1 }], orderBy: [{ column: 'id' }] },
  },
  { tries: 'a table joined twice', statement: select({ join: [{ table: 'notes', left: 'id', right: 'notes.id' }] }) },
  {
    tries: 'too many conditions',
    statement: select({ where: Array(51).fill({ column: 'id', operator: '=', value: 1 }) }),
  },
  {
    tries: 'too many rows',
    statement: { table: 'notes', operation: 'insert', values: Array(1001).fill({ title: 'a' }) },
  },
  { tries: 'no rows', statement: { table: 'notes', operation: 'insert', values: [] } },
  {
    tries: 'an object for a list',
    statement: select({ where: { 0: { column: 'id', operator: '=', value: 1 }, length: 1 } }),
  },
  { tries: 'a text for a list', statement: select({ columns: 'title' }) },
  ...[
    'notes as n"',
    'notes as N',
    'notes as',
    'notes as a as b',
    'secrets as notes',
    'notes as n; drop',
    'notes  as n',
  ].map((table) => ({
    tries: `table ${table}`,
    statement: { table, operation: 'select' },
  })),
  ...['title as t"', 'title as T', 'secret as title', 'title as a as b', 'pg_sleep(1) as a'].map((column) => ({
    tries: `column ${column}`,
    statement: select({ columns: [column] }),
  })),
  ...columns.map((column) => ({
    tries: `a search in ${column}`,
    statement: select({ search: { columns: [column], text: 'a' } }),
  })),
  ...["english'::regconfig", 'ENGLISH', 'pg_catalog.simple', {}, 1].map((language) => ({
    tries: `a search in the language ${JSON.stringify(language)}`,
    statement: select({ search: { columns: ['title'], text: 'a', language } }),
  })),
  ...columns.map((column) => ({
    tries: `adding to ${column}`,
    statement: { table: 'notes', operation: 'update', increments: { [column]: 1 } },
  })),
  ...columns.map((column) => ({
    tries: `giving back ${column}`,
    statement: { table: 'notes', operation: 'delete', returning: [column] },
  })),
  ...columns.map((column) => ({
    tries: `a group of conditions on ${column}`,
    statement: select({ where: [{ or: true, group: [{ column, operator: '=', value: 1 }] }] }),
  })),
  ...['', 'N', 'n"', 'title', 'secret'].map((column) => ({
    tries: `having ${column}`,
    statement: select({
      aggregates: [{ fn: 'count', as: 'n' }],
      having: [{ column: `${column}x`, operator: '=', value: 1 }],
    }),
  })),
  {
    tries: 'a kind of join',
    statement: select({ join: [{ kind: 'cross', table: 'lines', left: 'id', right: 'lines.id' }] }),
  },
  {
    tries: 'a write under another name',
    statement: { table: 'notes as n', operation: 'insert', values: [{ title: 'a' }] },
  },
  { tries: 'adding to a text', statement: { table: 'notes', operation: 'update', increments: { title: 1 } } },
  { tries: 'adding to the tenant', statement: { table: 'notes', operation: 'update', increments: { tenant_id: 1 } } },
  { tries: 'conditions without a floor', statement: select({ where: [nested(7)] }) },
  {
    tries: 'more conditions than there may be, in groups',
    statement: select({ where: Array(3).fill({ group: Array(20).fill({ column: 'id', operator: '=', value: 1 }) }) }),
  },
  { tries: 'an empty group', statement: select({ where: [{ group: [] }] }) },
  { tries: 'distinct of everything', statement: select({ distinct: true }) },
  { tries: 'a select that gives back', statement: select({ returning: ['id'] }) },
]
