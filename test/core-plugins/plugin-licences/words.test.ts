import assert from 'node:assert/strict'
import { LicenceClock } from '../../../core-plugins/plugin-licences/books/licence-clock.ts'
import { createTellAdministrators } from '../../../core-plugins/plugin-licences/watch/tell-administrators.ts'
import { recordingLog } from '../../support/recording-log.ts'

describe('a word about a licence', () => {
  it('is told to whoever may change licences, is active, and to nobody else', async () => {
    const told: unknown[] = []
    const users = new Map([
      [1, { status: 'active' }],
      [2, { status: 'disabled' }],
      [4, { status: 'active' }],
      [5, { status: 'active' }],
    ])
    const roles = [
      { code: 'licences', permissions: ['platform_plugin:license'] },
      { code: 'plugins', permissions: ['platform_plugin:*'] },
      { code: 'tenants', permissions: ['platform_tenant:*'] },
    ]
    const holders: Readonly<Record<string, readonly number[]>> = { licences: [1, 2, 3], plugins: [1, 4], tenants: [5] }
    const tell = createTellAdministrators({
      access: {
        listRoles: () => Promise.resolve(roles),
        holdersOf: (_: number, code: string) => Promise.resolve(holders[code]),
      },
      users: { find: (_: number, id: number) => Promise.resolve(users.get(id)) },
      notifier: {
        send: ({ tenantId, userId, link }: Readonly<Record<string, unknown>>) =>
          Promise.resolve(void told.push([tenantId, userId, link])),
      },
      log: recordingLog().log,
    } as unknown as Parameters<typeof createTellAdministrators>[0])
    await tell({ plugin: 'acme.crm', news: 'over', tenantIds: [7], endsAt: null })
    assert.deepEqual(told, [
      [0, 1, '/plugins/acme.crm'],
      [0, 4, '/plugins/acme.crm'],
    ])
  })
})

describe('the clock of licences', () => {
  it('stands still at the latest time seen where it is set back by more than a day', async () => {
    const clock = new LicenceClock()
    const day = 86_400_000
    const keep = async (seenAt: number) => {
      const table = { update: () => Promise.resolve([{ seen_at: new Date(seenAt) }]) }
      await clock.keep(
        Object.assign(() => table, { raw: () => undefined }) as unknown as Parameters<LicenceClock['keep']>[0],
      )
    }
    const isNow = (at: number) => Math.abs(at - Date.now()) < 60_000
    assert.ok(isNow(clock.now()))
    const ahead = Date.now() + 30 * day
    await keep(ahead)
    assert.equal(clock.now(), ahead)
    await keep(Date.now() + day / 2)
    assert.ok(isNow(clock.now()))
  })
})
