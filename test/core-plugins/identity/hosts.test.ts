// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { generateFernetKey } from '#kernel'
import type { Answer, Api } from '../../support/api.ts'
import { codeOf, issueSession } from '../../support/auth.ts'
import { createTestDatabase, testRedisUrl } from '../../support/cluster.ts'
import { identityPlugins, startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'
import { silentLog, startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { dataOf } from '../../support/platform.ts'
import { enrolFactor, factorTokenOf } from '../../support/second-factor.ts'
import { until } from '../../support/until.ts'
import { createMember, createRole } from '../access/support.ts'

const secret = randomBytes(32).toString('base64url')
const env = { JWT_KEYS: `k1:${secret}`, APP_SECRET: secret, CONFIG_FERNET_KEYS: generateFernetKey() }
const redisUrl = testRedisUrl()

describe('sign-in after a restart', () => {
  it('has lost nobody: neither who was signed in nor who may not be', async () => {
    await using database = await createTestDatabase(migratedFor(identityPlugins, silentLog))
    const before = await startTestPlatform({ env, databaseUrl: database.url })
    const acme = await before.createTenant('acme')
    const [kept, ended] = [await before.signIn(acme.id, acme.ownerId), await before.signIn(acme.id, acme.ownerId)]
    const { refresh } = await issueSession(before, acme.id, acme.ownerId)
    await ended.post('/auth/logout')
    await before[Symbol.asyncDispose]()

    await using after = await startTestKernel({ plugins: identityPlugins, env, databaseUrl: database.url })
    const answers = [
      await kept.at(after.url).get('/auth/me'),
      await ended.at(after.url).get('/auth/me'),
      await after.api.post('/auth/refresh', { refresh_token: refresh }),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [200, 0],
      [401, 4014],
      [200, 0],
    ])
  })
})

if (redisUrl !== undefined)
  describe('sign-in on two hosts', () => {
    let first: TestPlatform
    let second: TestKernel
    before(async () => {
      first = await startTestPlatform({ env })
      const { databaseUrl, namespace } = first.test
      second = await startTestKernel({ plugins: identityPlugins, env, databaseUrl, namespace })
    })
    after(async () => {
      await second[Symbol.asyncDispose]()
      await first[Symbol.asyncDispose]()
    })

    const login = (account: string, host = second): Promise<Answer> =>
      host.api.post('/auth/login/json', { account, password: testPassword, tenant_code: 'acme' })
    /** How long the other host still takes a token, in milliseconds. */
    async function untilRefused(ask: () => Promise<Answer>): Promise<number> {
      const began = Date.now()
      await until(async () => (await ask()).status !== 200)
      return Date.now() - began
    }

    it('exchanges one refresh token for one successor, also twenty times at once on both', async () => {
      const tenant = await first.createTenant('racing')
      const { refresh } = await issueSession(first, tenant.id, tenant.ownerId)
      const hosts = Array.from({ length: 20 }, (_, index) => (index % 2 ? first.test : second))
      const answers = await Promise.all(hosts.map(({ api }) => api.post('/auth/refresh', { refresh_token: refresh })))
      const tokens = new Set(answers.map((answer) => dataOf(answer)['refresh_token']))
      assert.equal(tokens.size, 1)
      const [successor] = tokens
      assert.deepEqual(codeOf(await second.api.post('/auth/refresh', { refresh_token: successor })), [200, 0])
    })

    it('ends on the other within a second, for every reason there is', async () => {
      const acme = await first.createTenant('ending')
      const { owner } = acme
      const { id } = await createMember(first, acme, 'one', ['tenant_user'], [])
      const user = `/tenant/users/${id}`
      const endings: readonly (readonly [string, () => Promise<Answer>])[] = [
        ['own', async () => (await first.signIn(acme.id, id)).post('/auth/logout', { all: true })],
        ['sessions', () => owner.delete(`${user}/sessions`)],
        ['password', () => owner.post(`${user}/reset-password`, { notify: false })],
        ['user', () => owner.put(user, { status: 'disabled' })],
        ['tenant', () => first.admin.put(`/admin/tenants/${acme.id}`, { status: 'disabled' })],
      ]
      const late: unknown[] = []
      for (const [cause, finish] of endings) {
        const caller = (await first.signIn(acme.id, cause === 'tenant' ? acme.ownerId : id)).at(second.url)
        const ask = () => caller.get('/auth/me')
        dataOf(await ask())
        dataOf(await finish())
        const milliseconds = await untilRefused(ask)
        if (milliseconds >= 1000) late.push([cause, milliseconds])
      }
      assert.deepEqual(late, [])
    })

    it('ends an access token that was exchanged as well, whatever ends the session', async () => {
      const acme = await first.createTenant('exchanging')
      const { owner } = acme
      const { id } = await createMember(first, acme, 'one', ['tenant_user'], [])
      const endings: readonly (readonly [string, (newer: Api, session: string) => Promise<Answer>])[] = [
        ['own', (newer) => newer.post('/auth/logout')],
        ['all', (newer) => newer.post('/auth/logout', { all: true })],
        ['other', async (_, session) => (await first.signIn(acme.id, id)).delete(`/auth/sessions/${session}`)],
        ['password', async () => changePassword(await first.signIn(acme.id, id))],
        ['administrator', () => owner.delete(`/tenant/users/${id}/sessions`)],
        ['user', () => owner.put(`/tenant/users/${id}`, { status: 'disabled' })],
      ]
      const seen: unknown[] = []
      for (const [cause, finish] of endings) {
        const { access, refresh, id: session } = await issueSession(first, acme.id, id)
        const exchanged = dataOf(await first.test.api.post('/auth/refresh', { refresh_token: refresh }))
        const old = [first.test, second].map(({ api }) => api.as(access))
        const living = await Promise.all(old.map(async (api) => (await api.get('/auth/me')).status))
        dataOf(await finish(first.test.api.as(exchanged['access_token']), session))
        for (const api of old) await until(async () => (await api.get('/auth/me')).status !== 200)
        seen.push([cause, living, ...(await Promise.all(old.map(async (api) => codeOf(await api.get('/auth/me')))))])
      }
      assert.deepEqual(
        seen,
        endings.map(([cause]) => [cause, [200, 200], [401, 4014], [401, 4014]]),
      )
    })

    it('sees roles in the next request as the other host changed them', async () => {
      const acme = await first.createTenant('changing')
      const { owner } = acme
      const role = await createRole(owner, 'reader', ['tenant_user:list'])
      const { id, api } = await createMember(first, acme, 'reader', ['reader'], [])
      const there = api.at(second.url)
      const seen: number[] = []
      const look = async (change?: Promise<Answer>): Promise<void> => {
        if (change) dataOf(await change)
        seen.push((await there.get('/tenant/users')).status)
      }
      await look()
      await look(owner.put(`/tenant/roles/${role}`, { permissions: ['tenant_org:list'] }))
      await look(owner.put(`/tenant/roles/${role}`, { permissions: ['tenant_user:*'] }))
      await look(owner.put(`/tenant/roles/${role}`, { status: 'disabled' }))
      await look(owner.put(`/tenant/roles/${role}`, { status: 'active' }))
      await look(owner.put(`/tenant/users/${id}`, { roles: ['tenant_user'] }))
      await look(owner.put(`/tenant/users/${id}`, { roles: ['tenant_user', 'reader'] }))
      assert.deepEqual(seen, [200, 403, 200, 403, 200, 403, 200])
    })

    it('never lags behind a role that changes again and again', async () => {
      const acme = await first.createTenant('flipping')
      const role = await createRole(acme.owner, 'flipping', [])
      const { api } = await createMember(first, acme, 'flipper', ['flipping'], [])
      const there = api.at(second.url)
      const wrong: number[] = []
      for (let round = 0; round < 100; round += 1) {
        const [permissions, status] = round % 2 ? [[], 403] : [['tenant_user:list'], 200]
        dataOf(await acme.owner.put(`/tenant/roles/${role}`, { permissions }))
        if ((await there.get('/tenant/users?page_size=1')).status !== status) wrong.push(round)
      }
      assert.deepEqual(wrong, [])
    })

    it('begun on one is finished on the other', async () => {
      const acme = await first.createTenant('acme')
      const { api } = await createMember(first, acme, 'factor', ['tenant_user'], [])
      const factor = await enrolFactor(api)
      const token = factorTokenOf(await login('factor@acme.test'))
      const verify = { mfa_token: token, method: 'totp', code: factor.code(0) }
      const { access_token: access } = dataOf(await first.test.api.post('/auth/mfa/verify', verify))
      assert.deepEqual(codeOf(await second.api.as(access).get('/auth/me')), [200, 0])
      assert.deepEqual(codeOf(await second.api.post('/auth/mfa/verify', verify)), [400, 4006])
    })

    it('counts wrong passwords wherever they are tried', async () => {
      await first.createTenant('counting')
      const wrong = { account: 'owner@counting.test', password: 'wrong', tenant_code: 'counting' }
      const codes: unknown[] = []
      for (const host of [first.test, second, first.test, second]) {
        codes.push((await host.api.post('/auth/login/json', wrong)).body['code'])
      }
      assert.deepEqual(codes, [4011, 4011, 4011, 4004])
    })

    it('outlives the loss of everything in Redis', async () => {
      const acme = await first.createTenant('losing')
      const tokens = await issueSession(first, acme.id, acme.ownerId)
      const ended = await first.signIn(acme.id, acme.ownerId)
      const me = (host: TestKernel) => host.api.as(tokens.access).get('/auth/me')
      dataOf(await me(second))
      dataOf(await ended.post('/auth/logout'))
      await forget(first.test.namespace)
      const answers = [
        await me(first.test),
        await me(second),
        await ended.at(second.url).get('/auth/me'),
        await second.api.post('/auth/refresh', { refresh_token: tokens.refresh }),
      ]
      assert.deepEqual(answers.map(codeOf), [
        [200, 0],
        [200, 0],
        [401, 4014],
        [200, 0],
      ])
    })
  })

/** Changes the own password. */
function changePassword(api: Api): Promise<Answer> {
  return api.put('/auth/password', { old_password: testPassword, new_password: `${testPassword} and another` })
}

/** Deletes every key that hosts of a namespace have in Redis. */
async function forget(namespace: string): Promise<void> {
  const redis = new Redis(redisUrl ?? '')
  const keys = await redis.keys(`stoa:${namespace}:*`)
  assert.ok(keys.length > 0)
  await redis.del(keys)
  redis.disconnect()
}
