import type { Mistake } from './author-mistake.ts'

const sql = 'migrations/0001_init.up.sql'

function inSql(from: string, to: string, line: string, says: RegExp): Mistake {
  return { file: sql, from, to, at: [sql, line], says }
}

/** Migrations that no database takes, or that lead nowhere back. */
export const migrationMistakes: Readonly<Record<string, Mistake>> = {
  'a type that is not there': inSql('varchar(1000)', 'string', 'string', /expected a type/),
  'a statement beyond the subset': inSql('create table', 'create temporary table', 'create', /expected/),
  'a function in a default': inSql('default now()', 'default pg_sleep(1)', 'pg_sleep', /expected/),
  'a comma before the end': inSql('default now()\n', 'default now(),\n', ')', /expected/),
  'a default of another type than its column': {
    ...inSql(
      'not null,\n',
      "not null default 1,\n  pages integer default 'many',\n",
      'create table',
      /PostgreSQL says: invalid input syntax/,
    ),
    isLoaded: true,
  },
  'an index of a column that is not there': {
    ...inSql(
      ');\n',
      ');\n\ncreate index by_title on notes (title);\n',
      'by_title',
      /PostgreSQL says: column "title" does not exist/,
    ),
    isLoaded: true,
  },
  'a way back that does not lead back': {
    file: 'migrations/0001_init.down.sql',
    from: 'drop',
    to: 'alter table notes drop column title;\ndrop',
    at: ['migrations/0001_init.down.sql', 'alter table'],
    says: /PostgreSQL says: column "title" of relation "notes" does not exist/,
    isLoaded: true,
  },
  'a reference to no table': inSql('not null,\n', 'not null references users (id),\n', 'references', /table/),
  'a name of no number': {
    file: 'migrations/init.up.sql',
    to: 'drop table notes;\n',
    at: ['migrations/init.up.sql', 'drop'],
    says: /0001_init/,
  },
  'a number twice': {
    file: 'migrations/0001_other.up.sql',
    to: 'drop table notes;\n',
    at: ['migrations/0001_other.up.sql', 'drop'],
    says: /a number of its own/,
  },
  'a way back that leads elsewhere': {
    file: 'migrations/0001_init.down.sql',
    to: 'delete from notes;\n',
    at: ['migrations/0001_init.down.sql', 'delete'],
    says: /tables before it/,
    isLoaded: true,
  },
}
