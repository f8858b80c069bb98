import { MigrationRefusedError } from './errors.ts'

/** A piece of SQL. Words keep their spelling; the value of a string is what stands between its quotes. */
export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'symbol' | 'end'
  readonly text: string
  readonly line: number
}

const number = /\d+(?:\.\d+)?/y
const word = /[A-Za-z_][A-Za-z0-9_]*/y
const spaceForm = /[ \t\r\n]+|--[^\n]*/y
const symbol = /::|<>|!=|<=|>=|->>|->|[-(),;=<>+*/%[\]]/y

/** Longest text of a string literal: what a default or a seeded row may reasonably hold. */
const longestString = 65_536

/** Cuts SQL into tokens. What the subset has no use for is refused here: quoted names, dollar quoting, block comments, dots between names, prefixed strings. */
export function tokenize(sql: string, file: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  let line = 1
  const refuse = (expected: string, found: string): never => {
    throw refusal(file, line, expected, found)
  }
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(sql)?.[0]
    at += found?.length ?? 0
    return found
  }
  while (at < sql.length) {
    const space = take(spaceForm)
    if (space !== undefined) {
      line += space.split('\n').length - 1
      continue
    }
    const start = line
    const kind =
      sql[at] === "'"
        ? 'string'
        : /[A-Za-z_]/.test(sql[at] ?? '')
          ? 'word'
          : /\d/.test(sql[at] ?? '')
            ? 'number'
            : 'symbol'
    if (kind === 'string') {
      const text = readString(sql, at) ?? refuse('the end of the string', 'the end of the file')
      at += text.length
      line += text.split('\n').length - 1
      tokens.push({ kind, text: text.slice(1, -1).replaceAll("''", "'"), line: start })
      if (text.length > longestString) refuse(`at most ${longestString} characters`, 'a longer string')
    } else {
      const text = take(kind === 'word' ? word : kind === 'number' ? number : symbol)
      if (text === undefined || sql.startsWith('/*', at - text.length))
        return refuse('SQL of the subset', describeCharacter(sql, text === undefined ? at : at - text.length))
      tokens.push({ kind, text, line: start })
      const next = sql[at] ?? ''
      if (kind === 'word' && /['"$.]/.test(next)) refuse('a plain name', describe({ kind, text: text + next, line }))
      if (kind === 'number' && /[A-Za-z_.$]/.test(next))
        refuse('a plain number', describe({ kind, text: text + next, line }))
    }
    if (kind === 'string' && sql[at] === "'") refuse('a separate string', 'a quote')
  }
  tokens.push({ kind: 'end', text: '', line })
  return tokens
}

/** The text of a string from its opening to its closing quote; two quotes are one inside it. */
function readString(sql: string, start: number): string | undefined {
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === '\0') return undefined
    if (sql[at] !== "'") continue
    if (sql[at + 1] !== "'") return sql.slice(start, at + 1)
    at++
  }
  return undefined
}

/** A token as it is named in a message. */
export function describe(token: Token): string {
  if (token.kind === 'end') return 'the end of the file'
  const shown = token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text
  return token.kind === 'string' ? `the string '${shown}'` : shown
}

/** The error that says where a migration leaves the subset. */
export function refusal(file: string, line: number, expected: string, found: string): Error {
  return new MigrationRefusedError(
    { file, line, expected, found },
    { details: { rule: 'migration', file, line, expected, found } },
  )
}

function describeCharacter(sql: string, at: number): string {
  const known: Readonly<Record<string, string>> = {
    '"': 'a quoted name',
    $: 'a dollar sign',
    '/': 'a block comment',
    '.': 'a dot',
    '|': 'the operator ||',
    '\\': 'a backslash',
    '\0': 'a zero byte',
  }
  const character = String.fromCodePoint(sql.codePointAt(at) ?? 0)
  return known[character] ?? `the character ${JSON.stringify(character)}`
}
