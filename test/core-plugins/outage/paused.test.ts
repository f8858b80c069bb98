// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { MortalPlatform } from '../killed/world.ts'
import { notes, packNotes } from './world.ts'

/** Much longer than the calls may take. */
const pauseMilliseconds = 9_000
const calls = 4

describe('a host that is stopped for longer than its calls may take', () => {
  it('lays none of that to the plugin, and tells truly what was saved', async () => {
    await using platform = await MortalPlatform.start(1)
    const { db, victim: host } = platform
    const admin = await platform.admin()
    await installAndEnable(admin, await packNotes())
    dataOf(await admin.get(`${notes}/notes`))
    const ways = ['quick', 'hurry']
    const asked = await whileLocked(db, async (waiting) => {
      const answers = ways.flatMap((way) =>
        Array.from({ length: calls }, async (_, count) => {
          const { status, body } = await admin.post(`${notes}/${way}`, { text: `${way} ${count}` })
          return { text: `${way} ${count}`, code: status === 200 ? 200 : Number(body['code']) }
        }),
      )
      await until(async () => (await waiting()) > 0)
      process.kill(host.pid, 'SIGSTOP')
      return answers
    })
    const stoppedAt = performance.now()
    await until(() => performance.now() > stoppedAt + pauseMilliseconds)
    process.kill(host.pid, 'SIGCONT')
    const told = await Promise.all(asked)
    const texts = dataOf(await admin.get(`${notes}/notes`))['texts'] as unknown as string[]
    // One whose time was not over yet, because the machine is busy, is done; one that waited for its turn was never begun.
    for (const { text, code } of told) {
      assert.ok([200, 4298, 5030, 5036].includes(code), `${text}: ${code}`)
      const count = texts.filter((each) => each === text).length
      assert.ok(code === 200 ? count === 1 : code === 5036 ? count <= 1 : count === 0, `${text}: ${code} and ${count}`)
    }
    assert.ok(
      told.some(({ code }) => code !== 200),
      'nothing took longer than it may',
    )
  })
})

/** Does something while nobody gets at the plugin's table; `waiting` tells how many statements stand before it. */
async function whileLocked<T>(db: Knex, work: (waiting: () => Promise<number>) => Promise<T>): Promise<T> {
  const [{ name }] = (await db('pg_class').whereLike('relname', 'plg\\_%\\_notes').select('relname as name')) as [
    { name: string },
  ]
  return db.transaction(async (trx) => {
    await trx.raw('lock table ?? in access exclusive mode', [name])
    return work(async () => {
      const rows = await db('pg_locks').where({ granted: false, relation: db.raw('?::regclass', [name]) })
      return rows.length
    })
  })
}
