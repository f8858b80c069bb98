// @both-back-ends
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Answer } from '../../support/api.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import type { QueryTrap } from '../killed/trap.ts'
import { MortalPlatform } from '../killed/world.ts'
import { notes, packNotes } from '../outage/world.ts'

/** A request whose host is killed at a moment. */
interface Doomed {
  readonly name: string
  readonly way: 'add' | 'addtwo'
  readonly query: string
  readonly when: QueryTrap['when']
  /** What is there after the kill, and how often when the key was repeated. */
  readonly texts: readonly [killed: number, repeated: number]
}

const claim = '^insert into "idempotency_keys"'
const insert = 'insert into "plg_\\w+_notes"'
const settle = '^update "idempotency_keys" set "answer"'
/** A plugin has few connections: whoever holds one comes last, and with the last the whole host stands still. */
const doomed: readonly Doomed[] = [
  { name: 'done-not-told', way: 'add', query: settle, when: 'begin', texts: [1, 1] },
  { name: 'committed-not-told', way: 'addtwo', query: settle, when: 'begin', texts: [1, 1] },
  { name: 'not-claimed', way: 'add', query: claim, when: 'begin', texts: [0, 1] },
  { name: 'not-begun', way: 'add', query: insert, when: 'begin', texts: [0, 0] },
  { name: 'not-committed', way: 'addtwo', query: insert, when: 'inside', texts: [0, 0] },
]

const last = 'not-committed'

describe('an Idempotency-Key whose host is killed', () => {
  it('has its work done once, or its outcome unknown for good; never twice', async () => {
    await using platform = await MortalPlatform.start(testRedisUrl() === undefined ? 1 : 2)
    const { victim, db } = platform
    const admin = await platform.admin()
    await installAndEnable(admin, await packNotes())
    dataOf(await admin.get(`${notes}/notes`))
    const traps = doomed.map(({ name, query, when }): QueryTrap => ({
      plugin: name,
      query,
      value: name,
      when,
      halt: name === last ? 'SIGSTOP' : 'hold',
    }))
    await victim.set(...traps)
    const asked: Promise<unknown>[] = []
    for (const { name, way } of doomed) {
      const answer = admin.post(`${notes}/${way}`, { text: name }, { headers: { 'idempotency-key': name } })
      asked.push(
        answer.then(
          ({ status }) => status,
          () => 'lost',
        ),
      )
      await (name === last ? until(() => isStopped(victim.pid), 60_000) : victim.held(name))
    }
    await victim.kill()
    assert.deepEqual(
      await Promise.all(asked),
      doomed.map(() => 'lost'),
    )
    if (platform.other === victim) await platform.restart()
    const other = await platform.admin(platform.other)
    const repeat = (): Promise<readonly Answer[]> =>
      Promise.all(
        doomed.map(({ name, way }) =>
          other.post(`${notes}/${way}`, { text: name }, { headers: { 'idempotency-key': name } }),
        ),
      )
    const countAll = async (): Promise<readonly number[]> => {
      const texts = dataOf(await other.get(`${notes}/notes`))['texts'] as unknown as string[]
      return doomed.map(({ name }) => texts.filter((text) => text === name).length)
    }
    assert.deepEqual(
      await countAll(),
      doomed.map(({ texts: [killed] }) => killed),
    )
    const shown = (answers: readonly Answer[]) =>
      answers.map(({ status, body, headers }) => [status, body['reason'], headers['idempotent-replayed']])
    const told = (lost: readonly unknown[], isAgain: boolean) =>
      doomed.map(({ name }) => (name === 'not-claimed' ? [200, undefined, isAgain ? 'true' : undefined] : lost))
    // The dead host vouched for them for half a minute.
    assert.deepEqual(shown(await repeat()), told([409, 'request_in_progress', undefined], false))
    await db.transaction(async (trx) => {
      await trx.raw(`select set_config('stoa.tenant_id', 'all', true)`)
      const aged = await trx('idempotency_keys').update({ leased_until: trx.raw(`now() - interval '1 s'`) })
      assert.equal(aged, doomed.length)
    })
    for (let again = 0; again < 2; again++) {
      assert.deepEqual(shown(await repeat()), told([409, 'request_outcome_unknown', undefined], true))
    }
    assert.deepEqual(
      await countAll(),
      doomed.map(({ texts: [, repeated] }) => repeated),
    )
  })
})

function isStopped(pid: number): boolean {
  return /\) T/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}
