// @both-back-ends
import assert from 'node:assert/strict'
import { wsTickets, type WsTickets } from '../../../core-plugins/auth/contract.ts'
import type { Api } from '../../support/api.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

describe('tickets for WebSockets', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let tickets: WsTickets
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    tickets = platform.test.kernel.services.get(wsTickets)
  })
  after(() => platform[Symbol.asyncDispose]())

  const ticketOf = async (api: Api): Promise<string> =>
    (await api.post('/auth/ws-ticket')).body['data']?.['ticket'] as unknown as string

  it('stand for whoever asked, once', async () => {
    const { headers, body } = await acme.owner.post('/auth/ws-ticket')
    const ticket = body['data']?.['ticket'] as unknown as string
    const uses = await Promise.all([1, 2, 3].map(() => tickets.use(ticket)))
    const used = uses.filter((one) => one !== undefined)
    assert.deepEqual(
      [
        body['data']?.['expires_in'],
        headers['cache-control'],
        used.map(({ principal: { tenantId, userId } }) => [tenantId, userId]),
      ],
      [30, 'no-store', [[acme.id, acme.ownerId]]],
    )
    assert.equal(await tickets.use(ticket), undefined)
  })

  it('are given to the platform’s staff, too', async () => {
    const holder = await tickets.use(await ticketOf(platform.admin))
    assert.deepEqual([holder?.principal.tenantId, holder?.principal.userId], [0, platform.adminId])
  })

  it('end with their session', async () => {
    const { api } = await platform.createUser(acme, 'leaver@acme.test', ['tenant_user'])
    const ticket = await ticketOf(api)
    await api.post('/auth/logout')
    assert.equal(await tickets.use(ticket), undefined)
  })

  it('end when the password is changed', async () => {
    const { api } = await platform.createUser(acme, 'changer@acme.test', ['tenant_user'])
    const ticket = await ticketOf(api)
    await api.put('/auth/password', { old_password: testPassword, new_password: 'another long passphrase' })
    assert.equal(await tickets.use(ticket), undefined)
  })

  it('are nothing when made up, and nobody gets one who is not signed in', async () => {
    const answer = await platform.test.api.post('/auth/ws-ticket')
    assert.deepEqual([await tickets.use('wt_made-up'), answer.status, answer.body['code']], [undefined, 401, 4010])
  })

  it('are no access tokens', async () => {
    const answer = await platform.test.api.as(await ticketOf(acme.owner)).get('/auth/me')
    assert.deepEqual([answer.status, answer.body['code']], [401, 4013])
  })
})

describe('a change of the own password', () => {
  it('keeps the device and how its user signed in', async () => {
    await using platform = await startTestPlatform()
    const acme = await platform.createTenant('acme')
    const credentials = { account: 'owner@acme.test', tenant_code: acme.code }
    const login = { ...credentials, password: testPassword, device_name: 'Desk' }
    const signedIn = await platform.test.api.post('/auth/login/json', login)
    const user = platform.test.api.as(signedIn.body['data']?.['access_token'])
    const passwords = { old_password: testPassword, new_password: 'another long passphrase' }
    const changed = await user.put('/auth/password', passwords)
    const token = changed.body['data']?.['access_token'] as unknown as string
    const { body } = await platform.test.api.as(token).get('/auth/sessions')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { amr: unknown }
    const devices = (body['data']?.['items'] as unknown as { device_name: string }[]).map((item) => item.device_name)
    assert.deepEqual([devices, claims.amr], [['Desk'], ['pwd']])
  })
})
