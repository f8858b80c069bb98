import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { attachmentsSettled } from '../../../../core-plugins/attachments/contract.ts'
import type { Answer, Api, Body } from '../../../support/api.ts'
import { bytesAt, pathOf, preflight, textOf, upload, uploaded } from '../../../support/attachments.ts'
import { runningKernel } from '../../../support/auth.ts'
import { startClamd, virus, type Clamd } from '../../../support/clamd.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../../support/platform.ts'
import { until } from '../../../support/until.ts'

const codeOf = ({ status, body }: Answer): unknown => (status < 400 ? status : body['code'])

describe('a file with a virus scanner', () => {
  let clamd: Clamd
  let platform: Platform
  let owner: Api
  let member: Api
  before(async () => {
    clamd = await startClamd()
    platform = await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${clamd.port}` } })
    owner = (await createTenant(platform.admin, 'acme')).owner
    member = await createUser(owner, 'acme', ['user_attachment:*', 'user_notification:read'])
    const address = `127.0.0.1:${clamd.port}`
    await set({
      ...{ attachment_scan_mode: 'clamd', attachment_scan_address: address, attachment_scan_timeout_seconds: 1 },
    })
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await clamd[Symbol.asyncDispose]()
  })

  const set = async (values: object): Promise<void> =>
    void dataOf(await platform.admin.put('/configs/groups/platform_attachment_scan', values))
  const pathOfRecord = (record: Body): string => `/attachments/${textOf(record['id'])}`
  const untilStatus = (record: Body, status: string): Promise<void> =>
    until(async () => textOf(dataOf(await member.get(pathOfRecord(record)))['status']) === status)

  it('is pending until it was found clean, and nobody reads it before that', async () => {
    clamd.mood = 'stalls'
    const record = await uploaded(member, 'a.txt', Buffer.from('clean'), { visibility: 'tenant' })
    assert.equal(record['status'], 'pending')
    const download = await member.get(`${pathOfRecord(record)}/download`)
    assert.deepEqual([codeOf(download), download.headers['retry-after']], [4094, '5'])
    assert.equal(codeOf(await member.get(`${pathOfRecord(record)}/preview-url`)), 4094)
    assert.equal(codeOf(await platform.host.api.get(pathOf(record['access_url']))), 4094)
    assert.equal(
      codeOf(await (await createUser(owner, 'acme', ['user_attachment:read'])).get(pathOfRecord(record))),
      4045,
    )
    const { items } = dataOf(await member.get('/attachments?status=pending'))
    assert.equal((items as unknown as Body[])[0]?.['id'], record['id'])
    clamd.mood = 'honest'
    // A scanner that is away is asked again half a minute later; a new file, at once.
    const other = await uploaded(member, 'b.txt', Buffer.from('also clean'))
    await untilStatus(other, 'ready')
    assert.deepEqual(await bytesAt(member, `${pathOfRecord(other)}/download`), Buffer.from('also clean'))
  })

  it('is quarantined where it is infected, with every copy of it, and its owner is told', async () => {
    await set({ attachment_scan_mode: 'off' })
    const content = Buffer.from(`here is ${virus}`)
    const before = await uploaded(owner, 'before.txt', content, { visibility: 'public' })
    assert.deepEqual([before['status'], codeOf(await member.get(pathOfRecord(before)))], ['ready', 200])
    await set({ attachment_scan_mode: 'clamd' })
    const told: unknown[] = []
    using listening = runningKernel({ test: platform.host }).events.on(
      attachmentsSettled,
      ({ id, status }) => void told.push([id, status]),
    )
    const record = await uploaded(member, 'virus.txt', content)
    await untilStatus(record, 'quarantined')
    await until(() => told.length === 2)
    assert.deepEqual(new Map(told as [string, string][]).get(textOf(record['id'])), 'quarantined')
    void listening
    for (const by of [member, platform.host.api]) {
      const answer = await by.get(pathOf(record['access_url']).replace(/\?.*/, `?token=${textOf(member.token)}`))
      assert.equal(codeOf(answer), 4094)
    }
    assert.equal(codeOf(await member.get(`${pathOfRecord(record)}/download`)), 4094)
    assert.equal(codeOf(await platform.host.api.get(pathOf(record['access_url']))), 4045)
    assert.equal(codeOf(await platform.host.api.get(pathOf(before['access_url']))), 4045)
    assert.equal(codeOf(await member.get(pathOfRecord(before))), 4045)
    await until(async () => {
      const { items } = dataOf(await member.get('/notifications'))
      const [first] = items as unknown as Body[]
      return textOf(first?.['body']).includes('Test.Virus-1 in virus.txt')
    })
    assert.equal(codeOf(await member.delete(pathOfRecord(record))), 200)
  })

  it('is refused at once where its bytes are known to be infected', async () => {
    const content = Buffer.from(`here is ${virus}`)
    for (const answer of [await preflight(owner, 'v.txt', content), await upload(owner, { name: 'v.txt', content })]) {
      assert.deepEqual([codeOf(answer), answer.body['details']?.['cause']], [4008, 'infected'])
    }
  })

  it('that is larger than is looked at is kept from everybody, or taken, as configured', async () => {
    await set({ attachment_scan_max_mb: 1 })
    const large = (fill: string): Buffer => Buffer.alloc(1_100_000, fill)
    const refused = await uploaded(member, 'large.txt', large('a'))
    await untilStatus(refused, 'quarantined')
    await set({ attachment_scan_too_large: 'allow' })
    await untilStatus(await uploaded(member, 'large.txt', large('b')), 'ready')
    await set({ attachment_scan_too_large: 'quarantine', attachment_scan_max_mb: 100 })
  })

  it('waits for a scanner that is away, or is taken after a time where that is wanted', async () => {
    const { knex } = platform.host.kernel.database
    const again = async (): Promise<void> =>
      void (await knex('jobs')
        .where({ kind: 'attachments.scan' })
        .update({ run_at: new Date(Date.now() - 1000) })
        .queryContext({ tenant: 'all' }))
    const waiting = async (content: string): Promise<Body> => {
      const record = await uploaded(member, 'c.txt', Buffer.from(content))
      await until(() => clamd.seen.some((seen) => seen.toString() === content))
      return record
    }
    clamd.mood = 'cuts'
    const first = await waiting('comes back')
    assert.equal(dataOf(await member.get(pathOfRecord(first)))['status'], 'pending')
    clamd.mood = 'honest'
    await until(async () => {
      await again()
      return textOf(dataOf(await member.get(pathOfRecord(first)))['status']) === 'ready'
    })
    clamd.mood = 'cuts'
    const second = await waiting('stays away')
    await set({ attachment_scan_when_away: 'allow', attachment_scan_away_minutes: 1 })
    await knex('attachments')
      .where({ id: second['id'] })
      .update({ created_at: new Date(Date.now() - 120_000) })
      .queryContext({ tenant: 'all' })
    await until(async () => {
      await again()
      return textOf(dataOf(await member.get(pathOfRecord(second)))['status']) === 'ready'
    })
    clamd.mood = 'honest'
  })
})
