import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import pg from 'pg'

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** Which of these tables a call reads from end to end, and the statements that it sent about them. */
export async function scannedBy(
  call: () => Promise<{ readonly status: number; readonly body: unknown }>,
  { knex, url, tables }: { readonly knex: Knex; readonly url: string; readonly tables: readonly string[] },
): Promise<{ readonly scanned: readonly string[]; readonly sent: readonly string[] }> {
  const sent = await statementsOf(knex, tables, call)
  const plans = await explain(url, sent)
  const scanned = plans.flatMap(scannedTables).filter((table) => tables.includes(table))
  return { scanned, sent: sent.map(({ sql }) => sql) }
}

interface Statement {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/** What a call asks the large tables. */
async function statementsOf(
  knex: Knex,
  large: readonly string[],
  call: () => Promise<{ readonly status: number; readonly body: unknown }>,
): Promise<readonly Statement[]> {
  const sent: Statement[] = []
  const note = ({ sql, bindings }: { readonly sql: string; readonly bindings?: readonly unknown[] }): void => {
    if (/^\s*(select|with)\b/i.test(sql) && large.some((table) => sql.includes(table))) {
      sent.push({ sql, bindings: bindings ?? [] })
    }
  }
  knex.on('query', note)
  try {
    const { status, body } = await call()
    assert.equal(status, 200, JSON.stringify(body))
  } finally {
    knex.removeListener('query', note)
  }
  return sent
}

/** The plans of what was sent, with the parameters that it was sent with. */
async function explain(url: string, statements: readonly Statement[]): Promise<readonly Plan[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select set_config('stoa.tenant_id', 'all', false)`)
    const plans: Plan[] = []
    for (const { sql, bindings } of statements) {
      const answer = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${sql}`, [
        ...bindings,
      ])
      for (const row of answer.rows) plans.push(row['QUERY PLAN'][0].Plan)
    }
    return plans
  } finally {
    await client.end()
  }
}

function scannedTables({ 'Node Type': type, 'Relation Name': table, Plans: below = [] }: Plan): readonly string[] {
  return [...(type === 'Seq Scan' && table !== undefined ? [table] : []), ...below.flatMap(scannedTables)]
}
