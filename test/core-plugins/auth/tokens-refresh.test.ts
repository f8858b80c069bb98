// @both-back-ends
import assert from 'node:assert/strict'
import { RefreshTokens } from '../../../core-plugins/auth/tokens/refresh-tokens.ts'
import type { Body } from '../../support/api.ts'
import { codeOf, issueSession, runningKernel } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const textOf = (value: unknown): string => value as string

describe('refresh tokens', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const issue = (tenant: TestTenant) => issueSession(platform, tenant.id, tenant.ownerId)
  const me = (token: string) => platform.test.api.as(token).get('/auth/me')
  const refresh = (token: string, path = '/auth/refresh') => platform.test.api.post(path, { refresh_token: token })

  it('of a refresh are exchanged for the next pair', async () => {
    const first = await issue(acme)
    const second = await refresh(first.refresh)
    const third = await refresh(textOf(second.body['data']?.['refresh_token']))
    const data = second.body['data'] as unknown as Record<string, Body>
    const { access_token: access, refresh_token: next, ...rest } = data
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 900,
      refresh_expires_in: rest['refresh_expires_in'],
      session_id: first.id,
      roles: ['tenant_owner'],
      tenant: { id: acme.id, code: 'acme', name: 'acme' },
      password_change_required: false,
    })
    assert.equal((next as unknown) !== first.refresh && third.status === 200, true)
    assert.deepEqual(codeOf(await me(textOf(access))), [200, 0])
  })

  it('of a refresh are exchanged by OAuth 2’s form too', async () => {
    const { refresh: token } = await issue(acme)
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await platform.test.api.post('/auth/refresh', body, { headers })
    assert.deepEqual(Object.keys(answer.body).sort(), [
      'access_token',
      'expires_in',
      'refresh_expires_in',
      'refresh_token',
      'scope',
      'session_id',
      'token_type',
    ])
    const unknown = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'nothing' }).toString()
    const refused = await platform.test.api.post('/auth/refresh', unknown, { headers })
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant'])
  })

  it('of one refresh brought twenty times at once give one successor and twenty successes', async () => {
    const { refresh: token } = await issue(acme)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)))
    const next = new Set(answers.map(({ body }) => body['data']?.['refresh_token']))
    assert.deepEqual([new Set(answers.map(({ status }) => status)), next.size], [new Set([200]), 1])
    assert.equal((await refresh(textOf([...next][0]))).status, 200)
  })

  it('of a refresh that come back after the next exchange end the session, and their copies with it', async () => {
    const first = await issue(acme)
    const second = await refresh(first.refresh)
    const third = await refresh(textOf(second.body['data']?.['refresh_token']))
    const reused = await refresh(first.refresh)
    assert.deepEqual(
      [
        codeOf(reused),
        codeOf(await refresh(textOf(third.body['data']?.['refresh_token']))),
        codeOf(await me(first.access)),
      ],
      [
        [401, 4016],
        [401, 4015],
        [401, 4014],
      ],
    )
  })

  it('of a refresh that lay around longer than a session may are good for nothing', async () => {
    const answers = []
    for (const column of ['idle_expires_at', 'expires_at']) {
      const { refresh: token, id } = await issue(acme)
      await platform.test.kernel.database
        .knex('auth_sessions')
        .where('id', id)
        .update(column, new Date())
        .queryContext({ tenant: acme.id })
      answers.push(codeOf(await refresh(token)))
    }
    assert.deepEqual(answers, Array(2).fill([401, 4015]))
  })

  it('of a refresh that were never given out, though their session and number are right, get no successor', async () => {
    const { refresh: token, id } = await issue(acme)
    await refresh(token)
    const made = new RefreshTokens(runningKernel(platform).secrets.derive('auth.refresh_token')).create(id, 1)
    assert.deepEqual(codeOf(await refresh(made.text)), [401, 4016])
  })

  it('of a refresh that come back after the grace end the session', async () => {
    const first = await issue(acme)
    await refresh(first.refresh)
    await platform.test.kernel.database
      .knex('auth_sessions')
      .where('id', first.id)
      .update({ rotated_at: new Date(Date.now() - 31_000) })
      .queryContext({ tenant: acme.id })
    assert.deepEqual(
      [codeOf(await refresh(first.refresh)), codeOf(await me(first.access))],
      [
        [401, 4016],
        [401, 4014],
      ],
    )
  })

  it('of a refresh that were forged, cut or sent to the other door have no effect', async () => {
    const { access, refresh: token } = await issue(acme)
    const bytes = Buffer.from(token.slice(3), 'base64url')
    const forged = Buffer.from(bytes)
    forged.writeUInt32BE(0, 16)
    const answers = [
      await refresh(`rt_${forged.toString('base64url')}`),
      await refresh(token.slice(0, -4)),
      await refresh('rt_'),
      await refresh(token, '/admin/auth/refresh'),
      await refresh('a word'),
      await refresh(token + 'x'.repeat(10_000)),
      await refresh(`rt_${'A'.repeat(100_000)}`),
    ]
    assert.deepEqual(answers.map(codeOf), Array(7).fill([401, 4015]))
    assert.deepEqual(
      [codeOf(await me(access)), codeOf(await refresh(token, '/tenant/auth/refresh'))],
      [
        [200, 0],
        [200, 0],
      ],
    )
  })
  it('of a refresh from before the credentials changed are good for nothing, even if no word ended them', async () => {
    const { refresh: token } = await issue(acme)
    const { knex } = platform.test.kernel.database
    const version = (change: string) =>
      knex('users')
        .queryContext({ tenant: acme.id })
        .where('id', acme.ownerId)
        .update({ version: knex.raw(`version ${change}`) })
    await version('+ 1')
    const refused = await refresh(token)
    await version('- 1')
    assert.deepEqual(
      [codeOf(refused), codeOf(await refresh(token))],
      [
        [401, 4015],
        [200, 0],
      ],
    )
  })
})

describe('sign-in with one connection to the database', () => {
  it('works from set-up to sign-out', async () => {
    await using platform = await startTestPlatform({ poolSize: 1 })
    const acme = await platform.createTenant('acme')
    const user = await platform.createUser(acme, 'ann@acme.test', ['tenant_user'])
    const login = await platform.test.api.post('/auth/login/json', {
      email: 'ann@acme.test',
      password: testPassword,
      tenant_code: 'acme',
    })
    const next = await platform.test.api.post('/auth/refresh', { refresh_token: login.body['data']?.['refresh_token'] })
    const answers = [
      await acme.owner.put(`/tenant/users/${user.id}`, { roles: ['tenant_admin'] }),
      await platform.test.api.as(next.body['data']?.['access_token']).post('/auth/logout', { all: true }),
      await acme.owner.delete(`/tenant/users/${user.id}`),
    ]
    assert.deepEqual([login, next, ...answers].map(codeOf), Array(5).fill([200, 0]))
  })
})
