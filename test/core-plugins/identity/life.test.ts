import assert from 'node:assert/strict'
import type { Answer, Api } from '../../support/api.ts'
import { codeOf, configure } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { enrolFactor, factorTokenOf, type TestFactor } from '../../support/second-factor.ts'
import { smtpAllowance, startSmtpServer, type ReceivedMail, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'

const domain = 'app.acme.example'
const another = 'quite another passphrase'
const open = { allow_registration: true, registration_approval: true, allowed_email_domains: ['people.example'] }

describe('the life of an account, by mail', () => {
  let platform: TestPlatform
  let server: SmtpServer
  let owner: Api
  before(async () => {
    server = await startSmtpServer()
    platform = await startTestPlatform({ env: { EGRESS_ALLOW_PRIVATE: smtpAllowance } })
    const { admin } = platform
    await configure(admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
    await configure(admin, 'admin', 'platform_mail', server.settings)
    const credentials = { email: `owner@${domain}`, password: testPassword }
    const body = { code: 'acme', name: 'Acme', domains: [domain], owner: credentials }
    const tenant = dataOf(await admin.post('/admin/tenants', body), 201)
    owner = await platform.signIn(Number(tenant['id']), Number(tenant['owner']?.['id']))
    await configure(owner, 'tenant', 'tenant_captcha', { user_registration_captcha_enabled: false })
    await configure(owner, 'tenant', 'tenant_login', open)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  let calls = 0
  /** Calls the tenant's own host, each time from another address. */
  function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    calls += 1
    const address = { 'x-forwarded-for': `10.5.0.${calls}` }
    return platform.test.api.post(path, body, { host: domain, headers: { ...address, ...headers } })
  }
  const login = (email: string, password = testPassword) => post('/auth/login/json', { email, password })

  /** The first mail with these words in its subject that nobody has read yet. */
  async function mail(to: string, subject: RegExp): Promise<ReceivedMail> {
    const find = () => server.mails.find((one) => one.to.includes(to) && subject.test(one.headers.get('subject') ?? ''))
    await until(() => find() !== undefined, 30_000)
    return find() ?? assert.fail('no mail')
  }
  /** The parameters of the link in a mail, which must lead to the tenant's own address. */
  function linkIn({ text }: ReceivedMail): URLSearchParams {
    const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail(`no link in ${text}`))
    assert.equal(link.origin, `https://${domain}`)
    return new URLSearchParams(link.hash.slice(1))
  }
  const bearer = (answer: Answer): Api => platform.test.api.as(dataOf(answer)['access_token'])

  /** Registers, proves the address, waits for the approval and signs in. */
  async function comeIn(email: string): Promise<Api> {
    const poison = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const person = { email, nickname: 'Ann', password: testPassword, tenant_code: 'acme' }
    const made = dataOf(await post('/tenant/users/register', person, poison), 201)
    assert.deepEqual([made['initial_role'], made['status']], ['tenant_user', 'pending_verification'])
    assert.deepEqual(codeOf(await login(email)), [403, 4034])
    const token = linkIn(await mail(email, /Confirm/)).get('token')
    assert.equal(dataOf(await post('/auth/verify-email', { token }))['status'], 'pending_approval')
    assert.deepEqual(codeOf(await post('/auth/verify-email', { token })), [400, 4006])
    const refused = await login(email)
    assert.deepEqual([codeOf(refused), refused.body['details']], [[403, 4034], { status: 'pending_approval' }])
    dataOf(await owner.post(`/tenant/users/${Number(made['user_id'])}/approve`, { approved: true }))
    assert.match((await mail(email, /is approved/)).text, new RegExp(`https://${domain}`))
    const signedIn = dataOf(await login(email))
    assert.deepEqual(signedIn['tenant'], { id: signedIn['user']?.['tenant_id'], code: 'acme', name: 'Acme' })
    return platform.test.api.as(signedIn['access_token'])
  }

  /** Signs in once with a code of the second factor and once with a recovery code. */
  async function signInTwice(email: string, factor: TestFactor): Promise<void> {
    const waiting = { mfa_token: factorTokenOf(await login(email)), method: 'totp' }
    assert.deepEqual(codeOf(await post('/auth/mfa/verify', { ...waiting, code: '000000' })), [400, 4006])
    const other = bearer(await post('/auth/mfa/verify', { ...waiting, code: factor.code(0) }))
    assert.equal(dataOf(await other.get('/auth/me'))['user']?.['two_factor_enabled'], true)
    const [code] = factor.recoveryCodes
    const recovered = { mfa_token: factorTokenOf(await login(email)), method: 'recovery_code', code }
    bearer(await post('/auth/mfa/verify', recovered))
  }

  /** Takes another password through the link of a mail; the older session must be dead then. */
  async function recover(email: string, factor: TestFactor, older: Api): Promise<Api> {
    assert.deepEqual(dataOf(await post('/auth/forgot-password', { email })), { sent: true })
    const token = linkIn(await mail(email, /Reset your password/)).get('token')
    const weak = await post('/auth/reset-password', { token, new_password: 'password1' })
    const [fault] = weak.body['errors'] as unknown as { field: string; rule: string }[]
    assert.deepEqual([codeOf(weak), fault?.field, fault?.rule], [[422, 4223], 'new_password', 'blocklist'])
    const waiting = factorTokenOf(await post('/auth/reset-password', { token, new_password: another }))
    assert.deepEqual(codeOf(await older.get('/auth/me')), [401, 4014])
    assert.deepEqual(codeOf(await post('/auth/reset-password', { token, new_password: another })), [400, 4006])
    const verified = { mfa_token: waiting, method: 'recovery_code', code: factor.recoveryCodes[1] }
    return bearer(await post('/auth/mfa/verify', verified))
  }

  it('goes from a registration to a password that was forgotten and is another now', async () => {
    const email = 'ann@people.example'
    const ann = await comeIn(email)
    const factor = await enrolFactor(ann)
    await signInTwice(email, factor)
    assert.equal(dataOf(await ann.get('/auth/sessions'))['total'], 3)
    const again = await recover(email, factor, ann)
    assert.equal(dataOf(await again.get('/auth/sessions'))['total'], 1)
    assert.deepEqual(codeOf(await login(email)), [401, 4011])
    factorTokenOf(await login(email, another))
    await mail(email, /was changed/)
  })

  it('may be entered with a code from a mail', async () => {
    const email = 'bob@people.example'
    dataOf(await owner.post('/tenant/users', { email, roles: ['tenant_user'] }), 201)
    const sent = dataOf(await post('/tenant/auth/login/code/send', { email }))
    const answer = { sent: true, channel: 'email', masked_target: 'b***@people.example' }
    assert.deepEqual(sent, { ...answer, expires_in: 300, resend_after: 60 })
    const code = /\b\d{6}\b/.exec((await mail(email, /sign-in code/)).text)?.[0]
    const { roles } = dataOf(await post('/tenant/auth/login/code', { email, code })) as unknown as { roles: string[] }
    assert.deepEqual(roles, ['tenant_user'])
    assert.deepEqual(codeOf(await post('/tenant/auth/login/code', { email, code })), [400, 4006])
  })

  it('may begin with an invitation, though nobody may register', async () => {
    await configure(owner, 'tenant', 'tenant_login', { ...open, allow_registration: false })
    const guest = 'guest@elsewhere.example'
    const asked = { email: guest, roles: ['tenant_guest'] }
    dataOf(await owner.post('/tenant/users/invites', asked), 201)
    const code = linkIn(await mail(guest, /invited/)).get('invite_code')
    const person = { email: guest, nickname: 'Guest', password: testPassword }
    assert.deepEqual(codeOf(await post('/auth/register', person)), [403, 4036])
    const made = dataOf(await post('/auth/register', { ...person, invite_code: code }), 201)
    assert.deepEqual([made['initial_role'], made['status']], ['tenant_guest', 'active'])
    const signedIn = dataOf(await post('/auth/login/json', { email: guest, password: testPassword }))
    assert.deepEqual(signedIn['roles'], ['tenant_guest'])
    await configure(owner, 'tenant', 'tenant_login', open)
  })

  it('of the platform’s staff is in no tenant: their links lead to the platform', async () => {
    const staff = 'admin@stoa.test'
    await post('/admin/auth/forgot-password', { email: staff }, { 'x-forwarded-host': 'evil.example' })
    const { text } = await mail(staff, /Reset your password/)
    const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail(`no link in ${text}`))
    assert.equal(link.origin, 'http://localhost:3000')
    assert.ok(server.mails.every(({ raw }) => !raw.includes('evil.example')))
  })
})
