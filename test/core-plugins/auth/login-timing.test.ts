import assert from 'node:assert/strict'
import { configure } from '../../support/auth.ts'
import { countCpuTime } from '../../support/cpu-time.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const rounds = 15

describe('a sign-in that fails', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('looks and costs the same for an unknown account, a wrong password and a user without one', async () => {
    const made = await acme.owner.post('/tenant/users', { email: 'none@acme.test', roles: ['tenant_user'] })
    assert.equal(made.status, 201)
    const accounts = ['owner@acme.test', 'nobody@acme.test', 'none@acme.test']
    const times = new Map<string, number[]>(accounts.map((account) => [account, []]))
    const answers = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      for (const account of accounts) {
        const body = { account, password: 'wrong password', tenant_code: 'acme' }
        const cpuTime = countCpuTime()
        const answer = await platform.test.api.post('/auth/login/json', body, {
          headers: { 'x-forwarded-for': `198.51.100.${round}` },
        })
        if (round > 4) times.get(account)?.push(cpuTime())
        const { code, reason, message } = answer.body
        answers.add(JSON.stringify([answer.status, code, reason, message]))
        await platform.test.kernel.database.knex('auth_login_failures').delete().queryContext({ tenant: acme.id })
      }
    }
    const medians = accounts.map((account) => median(times.get(account) ?? []))
    assert.equal(answers.size, 1, [...answers].join())
    const ratio = Math.max(...medians) / Math.min(...medians)
    assert.equal(ratio < 1.5, true, `medians in ms: ${medians.map((value) => value.toFixed(1)).join(', ')}`)
  })
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
