import type { Answer, Api } from '../../support/api.ts'
import { configure, issueSession, readToken, signToken } from '../../support/auth.ts'
import { testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

/** What a refused request is made of. */
export interface RefusalWorld {
  readonly platform: TestPlatform
  readonly acme: TestTenant
  /** The key that access tokens are signed with. */
  readonly jwtKey: string
  /** Sends as somebody who takes problems in Chinese, from an address of their own unless one is given. */
  readonly send: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    call?: RefusedCall,
  ) => Promise<Answer>
}

interface RefusedCall {
  readonly body?: unknown
  readonly by?: Api
  readonly ip?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A code of the table of errors, how to meet it, and what it says beside its text. */
export interface RefusalCase {
  readonly code: number
  readonly reason: string
  readonly details?: readonly string[]
  readonly ask: (world: RefusalWorld) => Promise<Answer>
}

const account = 'owner@acme.test'
const right = { account, password: testPassword, tenant_code: 'acme' }
const wrong = { ...right, password: 'a wrong password' }
const login = '/auth/login/json'
const made = { refresh_token: 'rt_made-up' }

/** Tries a wrong password so many times from one address and answers the last time. */
async function tryWrong({ send }: RefusalWorld, times: number, ip: string, last: object = {}): Promise<Answer> {
  for (let time = 1; time < times; time += 1) await send('POST', login, { body: wrong, ip })
  return send('POST', login, { body: { ...wrong, ...last }, ip })
}

async function user(
  { platform, acme }: RefusalWorld,
  name: string,
): Promise<{ readonly id: number; readonly api: Api }> {
  return platform.createUser(acme, `${name}@acme.test`, ['tenant_user'])
}

/** The owner's token with other claims, signed as ours are. */
function resign({ acme, platform, jwtKey }: RefusalWorld, claims: object): Api {
  const [header, before] = readToken(acme.owner.token ?? '')
  return platform.test.api.as(signToken(header, { ...before, ...claims }, jwtKey))
}

/** Every refusal of sign-in, users, roles and the organisation that a caller can meet without a failure of ours. */
export const refusals: readonly RefusalCase[] = [
  { code: 4010, reason: 'unauthenticated', ask: ({ send }) => send('GET', '/auth/me') },
  { code: 4011, reason: 'invalid_credentials', ask: ({ send }) => send('POST', login, { body: wrong }) },
  {
    code: 4012,
    reason: 'token_expired',
    ask: (world) => world.send('GET', '/auth/me', { by: resign(world, { iat: 1, exp: 2 }) }),
  },
  {
    code: 4013,
    reason: 'token_invalid',
    ask: (world) => world.send('GET', '/auth/me', { by: resign(world, { aud: 'another' }) }),
  },
  {
    code: 4014,
    reason: 'token_revoked',
    details: ['cause'],
    async ask(world) {
      const by = await world.platform.signIn(world.acme.id, world.acme.ownerId)
      await by.post('/auth/logout')
      return world.send('GET', '/auth/me', { by })
    },
  },
  { code: 4015, reason: 'refresh_invalid', ask: ({ send }) => send('POST', '/auth/refresh', { body: made }) },
  {
    code: 4016,
    reason: 'refresh_reused',
    async ask({ platform, acme, send }) {
      const { refresh } = await issueSession(platform, acme.id, acme.ownerId)
      const next = await platform.test.api.post('/auth/refresh', { refresh_token: refresh })
      await platform.test.api.post('/auth/refresh', { refresh_token: next.body['data']?.['refresh_token'] })
      return send('POST', '/auth/refresh', { body: { refresh_token: refresh } })
    },
  },
  {
    code: 4004,
    reason: 'captcha_required',
    details: ['provider_code', 'action', 'endpoint'],
    ask: (world) => tryWrong(world, 4, '203.0.113.4'),
  },
  {
    code: 4005,
    reason: 'captcha_invalid',
    ask: (world) =>
      tryWrong(world, 4, '203.0.113.5', {
        captcha: { provider_code: 'image', challenge_id: crypto.randomUUID(), solution: 'x' },
      }),
  },
  {
    code: 4006,
    reason: 'code_invalid',
    ask: ({ send }) =>
      send('POST', '/auth/login-code/login', { body: { email: account, code: '000000', tenant_code: 'acme' } }),
  },
  {
    code: 4007,
    reason: 'password_mismatch',
    ask: ({ send, acme }) =>
      send('PUT', '/auth/password', { by: acme.owner, body: { old_password: 'x', new_password: testPassword } }),
  },
  {
    code: 4031,
    reason: 'permission_denied',
    details: ['permission'],
    ask: async (world) => world.send('GET', '/tenant/users', { by: (await user(world, 'plain')).api }),
  },
  {
    code: 4033,
    reason: 'scope_mismatch',
    ask: ({ send, platform }) => send('GET', '/tenant/auth/me', { by: platform.admin }),
  },
  {
    code: 4034,
    reason: 'account_inactive',
    details: ['status'],
    async ask(world) {
      const { id } = await user(world, 'disabled')
      await world.acme.owner.put(`/tenant/users/${id}`, { status: 'disabled' })
      return world.send('POST', login, { body: { ...right, account: 'disabled@acme.test' } })
    },
  },
  {
    code: 4035,
    reason: 'tenant_inactive',
    details: ['status'],
    async ask({ platform, send }) {
      const shut = await platform.createTenant('shut')
      await platform.admin.put(`/admin/tenants/${shut.id}`, { status: 'disabled' })
      return send('GET', '/auth/me', { by: shut.owner })
    },
  },
  {
    code: 4036,
    reason: 'login_method_off',
    details: ['methods'],
    ask: ({ send }) =>
      send('POST', '/auth/login-code/send', { body: { phone: '+8613800000000', tenant_code: 'acme' } }),
  },
  {
    code: 4037,
    reason: 'password_change_required',
    async ask(world) {
      const { id } = await user(world, 'must')
      const reset = await world.acme.owner.post(`/tenant/users/${id}/reset-password`, { notify: false })
      const { password } = reset.body['data'] as unknown as { password: string }
      const signedIn = await world.send('POST', login, { body: { ...right, account: 'must@acme.test', password } })
      return world.send('GET', '/auth/sessions', { by: world.acme.owner.as(signedIn.body['data']?.['access_token']) })
    },
  },
  { code: 4040, reason: 'not_found', ask: ({ send, acme }) => send('GET', '/tenant/roles/99999', { by: acme.owner }) },
  {
    code: 4041,
    reason: 'tenant_not_recognised',
    ask: ({ send }) => send('POST', login, { body: { ...right, tenant_code: 'nobody' } }),
  },
  {
    code: 4091,
    reason: 'duplicate',
    details: ['field'],
    ask: ({ send, acme }) => send('POST', '/tenant/users', { by: acme.owner, body: { email: account, roles: [] } }),
  },
  {
    code: 4094,
    reason: 'last_holder',
    details: ['role'],
    ask: ({ send, acme }) => send('DELETE', `/tenant/users/${acme.ownerId}`, { by: acme.owner }),
  },
  {
    code: 4096,
    reason: 'org_cycle',
    async ask({ send, acme }) {
      const id = Number((await acme.owner.post('/tenant/orgs', { name: 'Round' })).body['data']?.['id'])
      return send('POST', `/tenant/orgs/${id}/move`, { by: acme.owner, body: { parent_id: id } })
    },
  },
  {
    code: 4120,
    reason: 'version_conflict',
    ask: ({ send, acme }) =>
      send('PATCH', '/preferences', { by: acme.owner, body: { theme: 'dark' }, headers: { 'if-match': '"old"' } }),
  },
  { code: 4220, reason: 'validation_failed', ask: ({ send }) => send('POST', login, { body: {} }) },
  {
    code: 4221,
    reason: 'params_invalid',
    ask: ({ send, acme }) => send('GET', '/tenant/users?page=0', { by: acme.owner }),
  },
  {
    code: 4223,
    reason: 'password_policy',
    ask: ({ send, acme }) =>
      send('PUT', '/auth/password', {
        by: acme.owner,
        body: { old_password: testPassword, new_password: 'password1' },
      }),
  },
  {
    code: 4291,
    reason: 'login_rate_limited',
    details: ['retry_after'],
    async ask({ send }) {
      const stranger = (time: number): object => ({ ...wrong, account: `stranger${time}@acme.test` })
      for (let time = 0; time < 30; time += 1) await send('POST', login, { body: stranger(time), ip: '203.0.113.91' })
      return send('POST', login, { body: right, ip: '203.0.113.91' })
    },
  },
  {
    code: 4292,
    reason: 'account_locked',
    details: ['retry_after'],
    async ask({ platform, send }) {
      const { owner } = await platform.createTenant('locked')
      await configure(owner, 'tenant', 'tenant_captcha', { captcha_enabled: false })
      const body = { ...wrong, tenant_code: 'locked' }
      for (let time = 0; time < 5; time += 1) await send('POST', login, { body, ip: '203.0.113.92' })
      return send('POST', login, { body, ip: '203.0.113.92' })
    },
  },
  {
    code: 4295,
    reason: 'code_send_limited',
    details: ['retry_after'],
    async ask({ send }) {
      const body = { email: 'nobody@acme.test', tenant_code: 'acme' }
      await send('POST', '/auth/login-code/send', { body })
      return send('POST', '/auth/login-code/send', { body })
    },
  },
]
