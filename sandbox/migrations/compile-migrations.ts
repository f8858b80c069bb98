import { setImmediate } from 'node:timers/promises'
import { sandboxLimits } from '../limits.ts'
import { compileMigration } from './compile-migration.ts'
import { TableColumns, type ColumnShape } from './table-columns.ts'
import type { MigrationStep, TableSize } from './target.ts'
import { refusal } from './tokens.ts'

/** A file of the folder `migrations/`, read when it is its turn. */
export interface MigrationFile {
  readonly path: string
  readonly size: number
  read(): Promise<Buffer>
}

/** One migration of a plugin, there and, where it has a down file, back. */
export interface PluginMigration {
  /** `0001_init`: recorded when it has been applied. */
  readonly id: string
  readonly up: readonly MigrationStep[]
  readonly down: readonly MigrationStep[] | undefined
}

const megabyte = 1_048_576
const fileForm = /^migrations\/(?<id>(?<number>\d{4})_[a-z0-9]+(_[a-z0-9]+)*)\.(?<direction>up|down)\.sql$/

/**
 * Compiles a plugin's migrations in the order of their numbers: at the end exactly the declared tables exist, and each
 * down file leads back to the tables its up file started from. The event loop runs between two files.
 */
export async function compileMigrations(
  { plugin, tables }: { readonly plugin: string; readonly tables: readonly string[] },
  files: readonly MigrationFile[],
): Promise<PluginMigration[]> {
  const pairs = pairFiles(files)
  const migrations: PluginMigration[] = []
  let existing: readonly string[] = []
  let sizes: ReadonlyMap<string, TableSize> = new Map()
  let addedBytes = 0
  for (const { id, up, down } of pairs) {
    const forward = compileMigration(await readSql(up), { plugin, tables: existing, sizes, file: up.path })
    const back = down && compileMigration(await readSql(down), { plugin, tables: forward.tables, file: down.path })
    if (down && back && !isSame(back.tables, existing))
      throw refusal(down.path, 1, `the tables before it: ${list(existing)}`, wayBack(back.tables, existing))
    migrations.push({ id, up: forward.steps, down: back?.steps })
    existing = forward.tables
    sizes = forward.sizes
    addedBytes += forward.addedBytes
    const most = sandboxLimits.migrationMb.max
    if (addedBytes > most * megabyte) throw refusal(up.path, 1, `migrations that add at most ${most} MB`, 'more')
    await setImmediate()
  }
  const declared = [...tables].sort()
  if (!isSame(existing, declared))
    throw refusal('migrations/', 1, `the tables of the manifest: ${list(declared)}`, list(existing))
  return migrations
}

/** What tables a way back leaves, and how to mend it. */
function wayBack(left: readonly string[], before: readonly string[]): string {
  const mends = [
    ...left.filter((table) => !before.includes(table)).map((table) => `drop table ${table}`),
    ...before.filter((table) => !left.includes(table)).map((table) => `do not drop ${table}, or create it again`),
  ]
  return `${list(left)}: ${mends.join('; ')}`
}

/** The columns that each table has when all migrations have run. */
export async function describeTables(
  plugin: string,
  files: readonly MigrationFile[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, ColumnShape>>> {
  const columns = new TableColumns()
  let tables: readonly string[] = []
  for (const { up } of pairFiles(files))
    tables = compileMigration(await readSql(up), { plugin, tables, columns, file: up.path }).tables
  return columns.tables
}

interface Pair {
  readonly id: string
  readonly up: MigrationFile
  readonly down: MigrationFile | undefined
}

function pairFiles(files: readonly MigrationFile[]): Pair[] {
  const most = sandboxLimits.migrations.max
  const ups = new Map<string, MigrationFile>()
  const downs = new Map<string, MigrationFile>()
  const numbers = new Map<string, string>()
  for (const file of files) {
    const { id = '', number = '', direction } = fileForm.exec(file.path)?.groups ?? {}
    if (direction === undefined) throw refusal(file.path, 1, 'a name such as 0001_init.up.sql', 'another name')
    if ((numbers.get(number) ?? id) !== id) throw refusal(file.path, 1, 'a number of its own', `a second ${number}`)
    numbers.set(number, id)
    ;(direction === 'up' ? ups : downs).set(id, file)
  }
  if (ups.size > most) throw refusal('migrations/', 1, `at most ${most} migrations`, String(ups.size))
  const stray = [...downs].find(([id]) => !ups.has(id))
  if (stray) throw refusal(stray[1].path, 1, 'an up file beside it', 'none')
  return [...ups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, up]) => ({ id, up, down: downs.get(id) }))
}

async function readSql(file: MigrationFile): Promise<string> {
  const most = sandboxLimits.migrationBytes.max
  if (file.size > most) throw refusal(file.path, 1, `at most ${most} bytes`, `${file.size} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.read())
  } catch (error) {
    if (error instanceof TypeError) throw refusal(file.path, 1, 'text in UTF-8', 'other bytes')
    throw error
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join()
const list = (tables: readonly string[]): string => tables.join(', ') || 'none'
