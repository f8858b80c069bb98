import type { Knex } from 'knex'

type Change = 'insert' | 'update' | 'delete'

/** Which changes of a table's rows every host has to hear of, as SQL of the migration's author. */
interface NotedChanges {
  readonly table: string
  /** What those listen to who keep something of these rows, such as `users.sign_in`. */
  readonly kind: string
  /** Says whose a row `changed` is, such as `changed.tenant_id`. */
  readonly subject: string
  /** Of updates, only those of these columns, which have to hold what the subject is made of. */
  readonly columns: readonly string[]
  /** All of them unless given. */
  readonly on?: readonly Change[]
  /** Of deletions, only those of rows `changed` of which this holds. */
  readonly whereDeleted?: string
}

/**
 * For migrations: notes changes in `changes`, in the transaction that makes them, whoever makes them: a host, another host's older
 * code, a command or psql. A row of its own for each change, never a counter: a counter would be one row that every sign-out
 * locks until its commit.
 */
export async function noteChanges(db: Knex, noted: NotedChanges): Promise<void> {
  const { table, kind, on = ['insert', 'update', 'delete'] } = noted
  for (const change of on) {
    const name = `note_${table}_${kind.replaceAll('.', '_')}_${change}`
    await db.raw(`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        insert into changes (kind, subject)
        select distinct '${kind}', (${noted.subject})::text from (${rowsOf(change, noted)}) as changed;
        return null;
      end $$;
      create trigger ${name} after ${change} on ${table} referencing ${tables[change]}
        for each statement execute function ${name}()`)
  }
}

const tables: Readonly<Record<Change, string>> = {
  insert: 'new table as rows_after',
  update: 'old table as rows_before new table as rows_after',
  delete: 'old table as rows_before',
}

function rowsOf(change: Change, { columns, whereDeleted = 'true' }: NotedChanges): string {
  const list = columns.join(', ')
  if (change === 'insert') return `select ${list} from rows_after`
  if (change === 'delete') return `select ${list} from rows_before as changed where ${whereDeleted}`
  const without = (one: string, other: string): string =>
    `(select ${list} from ${one} except select ${list} from ${other})`
  return `${without('rows_before', 'rows_after')} union ${without('rows_after', 'rows_before')}`
}
