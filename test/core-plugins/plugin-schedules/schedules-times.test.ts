import assert from 'node:assert/strict'
import type { ConfigReader } from '../../../core-plugins/config/contract.ts'
import type { DesiredPlugin } from '../../../core-plugins/plugins/running/desired-state.ts'
import type { LoadedPlugin } from '../../../core-plugins/plugins/contract-running.ts'
import { freeBook } from '../../../core-plugins/plugins/running/licence-slot.ts'
import { RunningState } from '../../../core-plugins/plugins/running/running-state.ts'
import { jitterOf, latestTime, nextTime, nextTimes } from '../../../core-plugins/plugin-schedules/cron-times.ts'
import { wantedSchedules } from '../../../core-plugins/plugin-schedules/wanted-schedules.ts'
import { countCpuTime } from '../../support/cpu-time.ts'

/** Plan, zone, moment → the times that follow, in UTC. */
const table: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['15 2 * * *', 'UTC', '2026-03-28T02:15:00Z', ['2026-03-29T02:15', '2026-03-30T02:15']],
  ['15 2 * * *', 'Asia/Shanghai', '2026-03-28T00:00:00Z', ['2026-03-28T18:15', '2026-03-29T18:15']],
  ['0 12 * * 7', 'UTC', '2026-03-28T00:00:00Z', ['2026-03-29T12:00', '2026-04-05T12:00']],
  ['5/20 4 * * *', 'UTC', '2026-03-28T00:00:00Z', ['2026-03-28T04:05', '2026-03-28T04:25', '2026-03-28T04:45']],
  ['0 0 29 2 *', 'UTC', '2026-03-28T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ['0 0 31 2 *', 'UTC', '2026-03-28T00:00:00Z', []],
  // Clocks go forward at 01:00 UTC: what is left out comes at that moment.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
  ['0 2-3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', ['2026-03-29T01:00', '2026-03-30T00:00']],
  // Clocks go back at 01:00 UTC: a fixed time comes once, a range follows the elapsed time.
  ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
  [
    '*/30 * * * *',
    'Europe/Berlin',
    '2026-10-25T00:15:00Z',
    ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30'],
  ],
]

describe('the times of a schedule', () => {
  for (const [cron, timezone, from, expected] of table) {
    it(`${cron} in ${timezone} after ${from}`, () => {
      const times: string[] = []
      let at: Date | undefined = new Date(from)
      for (let index = 0; at && index < Math.max(1, expected.length); index++) {
        at = nextTime({ cron, timezone }, at)
        if (at) times.push(at.toISOString().slice(0, 16))
      }
      assert.deepEqual(times, expected)
    })
  }

  it('that passed latest is found, the end included', () => {
    const plan = { cron: '*/10 * * * *', timezone: 'UTC' }
    const latest = (after: string, until: string) => latestTime(plan, new Date(after), new Date(until))?.toISOString()
    assert.equal(latest('2026-03-28T10:00:00Z', '2026-03-28T10:39:59Z'), '2026-03-28T10:30:00.000Z')
    assert.equal(latest('2026-03-28T10:00:00Z', '2026-03-28T10:40:00Z'), '2026-03-28T10:40:00.000Z')
    assert.equal(latest('2026-03-28T10:30:00Z', '2026-03-28T10:39:00Z'), undefined)
  })

  it('is put off by less than five seconds, always the same for one tenant', () => {
    const jitters = Array.from({ length: 200 }, (_, tenant) => jitterOf(7, 'nightly', tenant))
    assert.ok(jitters.every((jitter) => jitter >= 0 && jitter < 5_000))
    assert.ok(new Set(jitters).size > 150)
    assert.equal(jitterOf(7, 'nightly', 3), jitters[3])
  })

  it('is found once for thousands of tenants that have the same', () => {
    const plans = Array.from({ length: 50_000 }, (_, index) => ({ cron: '0 2 * * *', timezone: zoneOf(index) }))
    const cpuTime = countCpuTime()
    const times = nextTimes(plans, new Date('2026-06-01T00:00:00Z'))
    assert.ok(cpuTime() < 1_000)
    assert.deepEqual(
      times.slice(0, 3).map((time) => time?.toISOString().slice(0, 16)),
      ['2026-06-01T02:00', '2026-06-02T00:00', '2026-06-01T02:00'],
    )
  })

  it('is read in a time zone that is asked for once for all schedules of a tenant', async () => {
    const names = ['a', 'b', 'c']
    const schedules = names.map((id) => ({ id, cron: '0 2 * * *', handler: id, timezone: 'tenant', perTenant: true }))
    const release = { name: 'acme.clock', manifest: { schedules } }
    const grants = { capabilities: new Set(['schedule']) }
    const tenants = new Map([4, 5].map((id) => [id, { isEnabled: true, denied: new Set() }]))
    const state = new RunningState()
    const desired = {
      name: release.name,
      scope: 'tenant',
      status: 'enabled',
      removing: false,
      tenants,
      licences: freeBook,
    }
    state.replace(new Map([[release.name, desired as unknown as DesiredPlugin]]))
    const gates = {
      gate: state.gate,
      deniedFor: (name: string, tenantId: number) => state.deniedFor(name, tenantId),
      tenantsOf: () => [...tenants.keys()],
    }
    const asked: unknown[] = []
    const get = (key: string, tenantId: number): Promise<string> => {
      asked.push([key, tenantId])
      return Promise.resolve(zoneOf(tenantId))
    }
    const settings = { get } as unknown as ConfigReader
    const wanted = await wantedSchedules({ release, grants } as unknown as LoadedPlugin, gates, settings)
    assert.deepEqual(
      wanted.map(({ schedule, tenantId, timezone }) => [schedule, tenantId, timezone]),
      [4, 5].flatMap((tenantId) => names.map((name) => [name, tenantId, zoneOf(tenantId)])),
    )
    assert.deepEqual(
      asked.filter((one) => String(one).startsWith('timezone')),
      [
        ['timezone', 4],
        ['timezone', 5],
      ],
    )
  })
})

function zoneOf(index: number): string {
  return index % 2 === 0 ? 'UTC' : 'Europe/Berlin'
}
