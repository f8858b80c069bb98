// @both-back-ends
import assert from 'node:assert/strict'
import { createLogger, openDatabase } from '#kernel'
import { createTestDatabase } from '../support/cluster.ts'
import { silentLog } from '../support/kernel.ts'

interface Line {
  readonly err: Readonly<Record<string, unknown>>
}

/** What a line says of an error. */
function logged(err: unknown): Line['err'] {
  let line = ''
  createLogger('error', { write: (text) => void (line += text) }).error({ err }, 'failed')
  return (JSON.parse(line) as Line).err
}

describe('a log line', () => {
  it('names the constraint that a row broke, and quotes nothing of the row', async () => {
    await using test = await createTestDatabase()
    await using database = await openDatabase({ url: test.url, poolSize: 1, log: silentLog })
    const { knex } = database
    await knex.raw('create temporary table people (mail text unique, hash text, age int check (age > 0))')
    const row = { mail: 'ann@example.test', hash: '$argon2id$hash', age: 1 }
    const young = await knex('people')
      .insert({ ...row, age: -1 })
      .catch((error: unknown) => error)
    await knex('people').insert(row)
    const double = await knex('people')
      .insert(row)
      .catch((error: unknown) => error)
    for (const [error, code, constraint] of [
      [young, '23514', 'people_age_check'],
      [double, '23505', 'people_mail_key'],
    ]) {
      const shown = logged(error)
      assert.deepEqual([shown['code'], shown['constraint']], [code, constraint])
      assert.doesNotMatch(JSON.stringify(shown), /ann@example|argon2/)
    }
  })

  it('hides what stands under the name of a secret, also in what is logged whole', () => {
    const secrets = { token: 'x', password: 'x', refresh_token: 'x', authorization: 'x', cookie: 'x', secret: 'x' }
    let text = ''
    createLogger('error', { write: (line) => void (text += line) }).error(
      { ...secrets, body: { ...secrets, name: 'Ann' } },
      'failed',
    )
    const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, '********']))
    const { level, time, msg, ...shown } = JSON.parse(text) as Record<string, unknown>
    assert.deepEqual([level, typeof time, msg], ['error', 'string', 'failed'])
    assert.deepEqual(shown, { ...hidden, body: { ...hidden, name: 'Ann' } })
  })

  it('shows what is thrown that is no error as it is', () => {
    assert.deepEqual([logged('words'), logged(null)], ['words', null])
  })
})
