import type { Knex } from 'knex'
import { ProgrammingError } from '../programming-errors.ts'
import { createSecretBox, DecryptError, type SecretBox } from './secret-box.ts'
import { tenantContext } from './tenant-context.ts'

/** A column of text or JSON in which sealed secrets stand, alone or among other text. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /**
   * Of a column of secrets sealed with `sealBound`, one in each row: the columns that, after the table's name, each is bound to. They
   * must not change while the secret stays.
   */
  readonly boundBy?: readonly string[]
}

/** What a rotation met in one column. */
export interface ColumnRotation extends SealedColumn {
  readonly resealed: number
  /** Those that were under the first key already. */
  readonly current: number
  /** Those that no key of the ring opens. */
  readonly unreadable: number
}

/** What a rotation did, and how many secrets each key of the ring opens after it, in the ring's order. */
export interface SecretRotation {
  readonly columns: readonly ColumnRotation[]
  readonly opened: readonly number[]
}

/** What a rotation works with. */
interface RotationOptions {
  readonly db: Knex
  /** The ring; the first key is the one that everything comes under. */
  readonly fernetKeys: readonly string[]
  readonly columns: readonly SealedColumn[]
}

/** Columns of the kernel's own tables. */
export const kernelSealedColumns: readonly SealedColumn[] = [{ table: 'idempotency_keys', column: 'answer' }]

/** Rows of one transaction. */
const batch = 200
/** Every Fernet token of our times begins so: version 0x80 and the first bytes of the time. */
const sealed = /gAAAA[\w-]{92,}={0,2}/g

/** A secret that is bound, which fills its column. */
const sealedBound = /^v1:[0-9a-f]{8}:[\w-]*:[\w-]*:[\w-]*$/g

interface FoundColumn extends SealedColumn {
  readonly type: string
  readonly key: readonly string[]
}

/** A row's column as text, its primary key in order, and what its secret is bound to. */
interface Row {
  readonly content: string
  readonly key: readonly string[]
  readonly binding: readonly string[]
}

/**
 * Brings every secret under the first key of the ring: in small transactions, so that hosts go on working, and each time from
 * the start, so that it may be killed and run again. Tables that are not there are left out.
 */
export async function rotateSecrets({ db, fernetKeys, columns }: RotationOptions): Promise<SecretRotation> {
  const ring = createSecretBox({ fernetKeys, appSecret: '' })
  const boxes = fernetKeys.map((key) => createSecretBox({ fernetKeys: [key], appSecret: '' }))
  const found = (await Promise.all(columns.map((column) => findColumn(db, column)))).filter(
    (column) => column !== undefined,
  )
  const rotations: ColumnRotation[] = []
  for (const column of found) rotations.push(await rotateColumn(db, column, ring, boxes))
  // Counted once everything is done: a host that still seals under another first key shows here.
  const opened = boxes.map(() => 0)
  for (const column of found) await countKeys(db, column, boxes, opened)
  return { columns: rotations, opened }
}

async function rotateColumn(
  db: Knex,
  column: FoundColumn,
  ring: SecretBox,
  boxes: readonly SecretBox[],
): Promise<ColumnRotation> {
  const counts = { resealed: 0, current: 0, unreadable: 0 }
  const reseal = (token: string, row: Row): string => {
    const at = boxes.findIndex((box) => opens(box, token, column, row))
    counts[at < 0 ? 'unreadable' : at === 0 ? 'current' : 'resealed'] += 1
    if (at <= 0) return token
    return column.boundBy ? ring.sealBound(ring.openBound(token, row.binding), row.binding) : ring.rotate(token)
  }
  await eachBatch(db, column, async (rows, trx) => {
    for (const found of rows) {
      const { content, key } = found
      const text = content.replace(formOf(column), (token) => reseal(token, found))
      if (text === content) continue
      const row = Object.fromEntries(column.key.map((name, at) => [name, key[at]!]))
      const value = trx.raw(`?::${column.type}`, [text])
      await trx(column.table)
        .queryContext(tenantContext('all'))
        .where(row)
        .update({ [column.column]: value })
    }
  })
  const { table, column: name } = column
  return { table, column: name, ...counts }
}

async function countKeys(db: Knex, column: FoundColumn, boxes: readonly SecretBox[], opened: number[]): Promise<void> {
  await eachBatch(db, column, (rows) => {
    for (const row of rows) {
      for (const token of row.content.match(formOf(column)) ?? []) {
        const at = boxes.findIndex((box) => opens(box, token, column, row))
        if (at >= 0) opened[at]! += 1
      }
    }
  })
}

/** Goes through the rows that may hold something sealed, in the order of their key, locked while their batch is worked on. */
async function eachBatch(
  db: Knex,
  { table, column, key, boundBy }: FoundColumn,
  work: (rows: readonly Row[], trx: Knex.Transaction) => Promise<void> | void,
): Promise<void> {
  for (let last: readonly string[] | undefined = []; last !== undefined;) {
    const after: readonly string[] = last
    last = await db.transaction(async (trx) => {
      const query = trx(table).queryContext(tenantContext('all'))
      const marks = (mark: string): string => key.map(() => mark).join(', ')
      if (after.length > 0) void query.whereRaw(`(${marks('??')}) > (${marks('?')})`, [...key, ...after])
      const rows = (await query
        .select(trx.raw(`array[${marks('??::text')}] as key, ??::text as content`, [...key, column]))
        .select(trx.raw(`array[${(boundBy ?? key).map(() => '??::text').join(', ')}] as place`, [...(boundBy ?? key)]))
        .whereRaw('??::text like ?', [column, boundBy ? 'v1:%' : '%gAAAA%'])
        .orderByRaw(marks('??'), [...key])
        .limit(batch)
        .forUpdate()) as readonly (Omit<Row, 'binding'> & { readonly place: readonly string[] })[]
      await work(
        rows.map((row) => ({ ...row, binding: [table, ...row.place] })),
        trx,
      )
      return rows.at(-1)?.key
    })
  }
}

/** What the database says of a column; undefined where its table does not exist. */
async function findColumn(db: Knex, { table, column, boundBy }: SealedColumn): Promise<FoundColumn | undefined> {
  const { rows } = await db.raw<{ rows: readonly { name: string; type: string; in_key: boolean }[] }>(
    `select attname as name, format_type(atttypid, atttypmod) as type, coalesce(attnum = any (indkey), false) as in_key
       from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
      where attrelid = to_regclass(?) and attnum > 0 and not attisdropped
      order by array_position(indkey::int2[], attnum)`,
    [table],
  )
  if (rows.length === 0) return undefined
  const type = rows.find(({ name }) => name === column)?.type
  const key = rows.filter(({ in_key: isKey }) => isKey).map(({ name }) => name)
  if (type === undefined || key.length === 0) {
    throw new ProgrammingError(`${table}.${column} is no column of a table with a primary key`)
  }
  return { table, column, type, key, ...(boundBy && { boundBy }) }
}

function formOf({ boundBy }: SealedColumn): RegExp {
  return boundBy ? sealedBound : sealed
}

function opens(box: SecretBox, token: string, { boundBy }: SealedColumn, { binding }: Row): boolean {
  try {
    if (boundBy) box.openBound(token, binding)
    else box.open(token)
    return true
  } catch (error) {
    if (error instanceof DecryptError) return false
    throw error
  }
}
