import { where, type StatementAttack } from './capabilities-database-attacks.ts'

/** Values that knex or the driver could take for something else than a value. */
export const refusedValues: readonly StatementAttack[] = [
  ...[
    { isRawInstance: true, sql: 'secret' },
    { toSQL: 'x' },
    { toPostgres: 'x' },
    { length: 1 },
    [],
    ['a'],
    true,
    1,
  ].map((value) => ({
    tries: `text ${JSON.stringify(value)}`,
    statement: where('title', '=', value),
  })),
  ...['1 or 1=1', '1', 1.5, 3e9, true, {}, [1]].map((value) => ({
    tries: `integer ${JSON.stringify(value)}`,
    statement: where('id', '=', value),
  })),
  ...['1e5', '1 or', {}, true].map((value) => ({
    tries: `decimal ${JSON.stringify(value)}`,
    statement: where('price', '<', value),
  })),
  ...[[{ isRawInstance: true }], [['a']], 'a', { 0: 'a' }].map((value) => ({
    tries: `list ${JSON.stringify(value)}`,
    statement: where('tags', '=', value),
  })),
  ...['x', { base64: '%%%%' }, { base64: 'AA' }, { base64: 'AAAA', extra: 1 }].map((value) => ({
    tries: `bytes ${JSON.stringify(value)}`,
    statement: where('photo', '=', value),
  })),
  { tries: 'NUL in text', statement: where('title', '=', 'a\0b') },
  { tries: 'half a character in text', statement: where('title', '=', '\ud800') },
  { tries: 'half a character in JSON', statement: where('data', '=', { a: '\ud800' }) },
  { tries: 'a value that was forgotten', statement: where('title', '=') },
  { tries: 'a value that was forgotten, the other way', statement: where('title', '!=') },
  { tries: 'NUL in JSON', statement: where('data', '=', { a: '\0' }) },
  { tries: 'null in a list', statement: where('title', 'in', ['a', null]) },
  { tries: 'null with <', statement: where('id', '<', null) },
  { tries: 'like on a number', statement: where('id', 'like', '%') },
]

/** Values that look like SQL and are nothing but texts. */
export const harmlessTexts = [
  ...[
    "'; drop table secrets; --",
    `' or '1'='1`,
    '" or ""="',
    '$1',
    '?',
    '??',
    ':title',
    '\\',
    "\\'; --",
    '%',
    '${secret}',
  ],
  ...[
    "E'\\x27'",
    '/* */',
    'null',
    'tenant_id',
    '\u2019 or 1=1',
    '\uff07 or 1=1',
    '$$ drop $$',
    'a\nb',
    '{a,b}',
    '(select 1)',
  ],
]
