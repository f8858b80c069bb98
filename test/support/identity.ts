import access from '../../core-plugins/access/index.ts'
import { sessions, setup } from '../../core-plugins/auth/contract.ts'
import auth from '../../core-plugins/auth/index.ts'
import captcha from '../../core-plugins/captcha/index.ts'
import config from '../../core-plugins/config/index.ts'
import jobs from '../../core-plugins/jobs/index.ts'
import mail from '../../core-plugins/mail/index.ts'
import preferences from '../../core-plugins/preferences/index.ts'
import tenants from '../../core-plugins/tenants/index.ts'
import { userDirectory } from '../../core-plugins/users/contract.ts'
import users from '../../core-plugins/users/index.ts'
import type { Plugin } from '#kernel'
import type { Api } from './api.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from './kernel.ts'

/** The core plugins that know who calls. */
export const identityPlugins: readonly Plugin[] = [
  config,
  access,
  jobs,
  mail,
  users,
  tenants,
  captcha,
  auth,
  preferences,
]

/** The password of every user that the tests make. */
export const testPassword = 'a long enough passphrase'

/** A tenant of a test with its owner signed in. */
export interface TestTenant {
  readonly id: number
  readonly code: string
  readonly host: string
  readonly ownerId: number
  readonly owner: Api
}

/** A platform with a signed-in administrator. */
export interface TestPlatform extends AsyncDisposable {
  readonly test: TestKernel
  readonly admin: Api
  readonly adminId: number
  createTenant(code: string): Promise<TestTenant>
  /** Creates a user with these roles in a tenant and signs in. */
  createUser(tenant: TestTenant, email: string, roles: readonly string[]): Promise<{ id: number; api: Api }>
  /** Begins a session without a sign-in, which would be counted and hashed. */
  signIn(tenantId: number, userId: number): Promise<Api>
}

/** Starts a platform and makes its first administrator, the way its operator would. */
export async function startTestPlatform(options: Partial<TestKernelOptions> = {}): Promise<TestPlatform> {
  const test = await startTestKernel({ plugins: identityPlugins, ...options })
  const { token } = await test.kernel.services.get(setup).createSetupLink()
  const credentials = { email: 'admin@stoa.test', password: testPassword }
  const done = await test.api.post('/api/public/setup', { token, ...credentials })
  if (done.status !== 201) throw new Error(`set-up answered ${done.status}: ${JSON.stringify(done.body)}`)
  const admin = test.api.as(done.body['data']?.['access_token'])

  async function signIn(tenantId: number, userId: number): Promise<Api> {
    const user = await test.kernel.services.get(userDirectory).find(tenantId, userId)
    if (!user) throw new Error(`There is no user ${userId} in tenant ${tenantId}`)
    const origin = { ip: '127.0.0.1', userAgent: 'test' }
    return test.api.as((await test.kernel.services.get(sessions).issue(user, origin)).accessToken)
  }

  return {
    test,
    admin,
    adminId: Number(done.body['data']?.['user']?.['id']),
    signIn,
    async createTenant(code) {
      const owner = { email: `owner@${code}.test`, password: testPassword }
      const made = await admin.post('/admin/tenants', { code, name: code, owner })
      if (made.status !== 201) throw new Error(`the tenant was answered ${made.status}: ${JSON.stringify(made.body)}`)
      const id = Number(made.body['data']?.['id'])
      const ownerId = Number(made.body['data']?.['owner']?.['id'])
      return { id, code, host: `${code}.localhost`, ownerId, owner: await signIn(id, ownerId) }
    },
    async createUser(tenant, email, roles) {
      const made = await tenant.owner.post('/tenant/users', { email, password: testPassword, roles })
      if (made.status !== 201) throw new Error(`the user was answered ${made.status}: ${JSON.stringify(made.body)}`)
      const id = Number(made.body['data']?.['id'])
      return { id, api: await signIn(tenant.id, id) }
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  }
}
