import assert from 'node:assert/strict'
import { corePlugins } from '../../core-plugins/index.ts'
import { setup } from '../../core-plugins/auth/contract.ts'
import type { Answer, Api, Body } from './api.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from './kernel.ts'

const admin = { email: 'admin@stoa.test', password: 'a long enough passphrase' }

/** A platform with an administrator who is signed in. */
export interface Platform extends AsyncDisposable {
  readonly host: TestKernel
  readonly admin: Api
}

/** Starts every core plugin on a database of its own, with an administrator. */
export async function startPlatform(options: Partial<TestKernelOptions> = {}): Promise<Platform> {
  const plugins = corePlugins.filter(({ name }) => name !== 'first_run')
  const host = await startTestKernel({ plugins, ...options })
  const platform = host.kernel.services.get(setup)
  if (!(await platform.isDone())) await platform.createAdmin(admin)
  const signedIn = dataOf(await host.api.post('/admin/auth/login/json', admin))
  return {
    host,
    admin: host.api.as(signedIn['access_token']),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}

/** A tenant with its owner signed in. */
export async function createTenant(by: Api, code: string): Promise<{ readonly owner: Api; readonly id: number }> {
  const owner = { email: `owner@${code}.test`, password: 'a long enough passphrase' }
  const { id } = dataOf(await by.post('/admin/tenants', { code, name: code, owner }), 201)
  const credentials = { tenant_code: code, account: owner.email, password: owner.password }
  const tokens = dataOf(await by.post('/auth/login/json', credentials))
  return { owner: by.as(tokens['access_token']), id: Number(id) }
}

/** A user of the owner's tenant with one role that holds these permissions. */
export async function createUser(owner: Api, tenantCode: string, permissions: readonly string[]): Promise<Api> {
  const code = `role_${Math.random().toString(36).slice(2, 8)}`
  dataOf(await owner.post('/tenant/roles', { code, name: code, permissions }), 201)
  const user = { email: `${code}@${tenantCode}.test`, password: 'a long enough passphrase' }
  dataOf(await owner.post('/tenant/users', { ...user, roles: [code] }), 201)
  const credentials = { tenant_code: tenantCode, account: user.email, password: user.password }
  return owner.as(dataOf(await owner.post('/auth/login/json', credentials))['access_token'])
}

/** The data of an answer that must have this status. */
export function dataOf(answer: Answer, status = 200): Body {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body['data'] as Body
}

/** What a refusal says: status, code and reason. */
export function refusalOf({ status, body }: Answer): { status: number; code: unknown; reason: unknown } {
  return { status, code: body['code'], reason: body['reason'] }
}
