import Papa from 'papaparse'
import type { UserBody } from '../../../users/wire.ts'
import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'

/** Somebody who stands in a file. */
export interface CsvUser {
  /** Of the file, from 1 on. */
  readonly line: number
  readonly email: string
  readonly nickname?: string
  readonly account?: string
  readonly phone?: string
  readonly roles: readonly string[]
  /** Codes of organisation nodes, the primary one first. */
  readonly nodes: readonly string[]
}

/** What keeps a file from being imported. */
export interface CsvFault {
  readonly line: number
  readonly text: string
}

/** A file that was read, with all that is wrong in it. */
export interface CsvUsers {
  readonly users: readonly CsvUser[]
  readonly faults: readonly CsvFault[]
}

const columns = ['email', 'nickname', 'account', 'phone', 'roles', 'nodes'] as const
type Column = (typeof columns)[number]

/** As many as one file may have; every one of them is a request. */
const mostUsers = 500
/** Larger than any file of so many. */
export const mostBytes = 1_000_000
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** A file that shows how one is written. */
export function csvTemplate(): string {
  return Papa.unparse([columns, ['ada@example.com', 'Ada', 'ada', '', 'tenant_user', '']])
}

/** What users are called and can sign in with, for whoever hands it out. */
export function csvOfPasswords(made: readonly { readonly email: string; readonly password: string }[]): string {
  return Papa.unparse(
    { fields: ['email', 'password'], data: made.map((one) => [one.email, one.password]) },
    {
      escapeFormulae: true,
    },
  )
}

/** Reads users of a file of comma-separated values; a semicolon or a tab between them is understood too. */
export function readUsers(text: string): CsvUsers {
  const users: CsvUser[] = []
  const faults: CsvFault[] = []
  const lines = new Map<string, number>()
  const [head, ...rest] = rowsOf(text)
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase())
  const blame = (line: number, key: string, values: Record<string, unknown> = {}) =>
    faults.push({ line, text: say(`people.csv.${key}`, values) })
  for (const name of names.filter((each) => !isColumn(each)))
    blame(head?.line ?? 1, 'unknownColumn', { name, known: columns.join(', ') })
  if (!names.includes('email')) blame(head?.line ?? 1, 'noEmail')
  if (faults.length > 0) return { users, faults }
  if (rest.length === 0) blame(1, 'empty')
  if (rest.length > mostUsers) blame(1, 'tooMany', { count: mostUsers })
  for (const { line, cells } of rest) {
    if (cells.length > names.length) blame(line, 'tooManyCells', { count: names.length })
    const of = (column: Column) => cells[names.indexOf(column)]?.trim() ?? ''
    const email = of('email')
    const given = { nickname: of('nickname'), account: of('account'), phone: of('phone') }
    const user = { line, email, ...withoutEmpty(given), roles: listOf(of('roles')), nodes: listOf(of('nodes')) }
    if (!address.test(email) || email.length > 254) blame(line, 'wrongEmail', { email })
    const first = lines.get(email.toLowerCase())
    if (first !== undefined) blame(line, 'twice', { email, line: first })
    else lines.set(email.toLowerCase(), line)
    users.push(user)
  }
  return { users, faults }
}

/** The ids of the organisation nodes that users name, by their codes; with the nodes and roles that are not there. */
export async function findNamed(users: readonly CsvUser[]): Promise<{
  readonly nodes: ReadonlyMap<string, number>
  readonly faults: readonly CsvFault[]
}> {
  const nodes = await findByCode('/tenant/orgs', new Set(users.flatMap((user) => user.nodes)))
  const roles = await findByCode('/tenant/roles', new Set(users.flatMap((user) => user.roles)))
  const faults = users.flatMap((user) =>
    [
      ...user.roles.flatMap((role) => (roles.has(role) ? [] : [say('people.csv.unknownRole', { role })])),
      ...user.nodes.flatMap((node) => (nodes.has(node) ? [] : [say('people.csv.unknownNode', { node })])),
    ].map((text) => ({ line: user.line, text })),
  )
  return { nodes, faults }
}

async function findByCode(path: string, codes: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>()
  for (const code of codes) {
    const query = { code, page_size: 1 }
    const { items } = await call<{ items: readonly UserBody[] }>('GET', path, { query })
    if (items[0]) ids.set(code, items[0].id)
  }
  return ids
}

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/** The rows that have anything, with the lines that they begin in: a quoted value may go over several. */
function rowsOf(text: string): readonly Row[] {
  const rows: Row[] = []
  const content = text.replace(/^\uFEFF/, '')
  let from = 0
  let line = 1
  Papa.parse<string[]>(content, {
    step({ data, meta }) {
      if (data.some((cell) => cell.trim() !== '')) rows.push({ line, cells: data })
      line += content.slice(from, meta.cursor).split('\n').length - 1
      from = meta.cursor
    },
  })
  return rows
}

function isColumn(name: string): name is Column {
  return (columns as readonly string[]).includes(name)
}

function listOf(cell: string): readonly string[] {
  return [...new Set(cell.split(/[;|,]/).map((each) => each.trim()))].filter((each) => each !== '')
}

function withoutEmpty(given: Readonly<Record<'nickname' | 'account' | 'phone', string>>): Partial<typeof given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}
