import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'

/** A platform with the demo provider, whose model answers without a key. */
export function startWithDemo(): Promise<Platform> {
  return startPlatform({ env: { STOA_DEMO: '1' } })
}

/** A tenant with its owner, and a user of its with one role and what every user may do. */
export async function tenantWithUser(platform: Platform, code: string) {
  const { owner, id } = await createTenant(platform.admin, code)
  const user = await newUser(owner, code, 'anna')
  return { id, owner, user: user.api, userId: user.id }
}

/** A user of the owner's tenant, who holds `tenant_user` and other roles. */
export async function newUser(owner: Api, tenantCode: string, name: string, roles: readonly string[] = []) {
  const user = { email: `${name}@${tenantCode}.test`, password: 'a long enough passphrase' }
  const made = dataOf(await owner.post('/tenant/users', { ...user, roles: ['tenant_user', ...roles] }), 201)
  const credentials = { tenant_code: tenantCode, account: user.email, password: user.password }
  const tokens = dataOf(await owner.post('/auth/login/json', credentials))
  return { id: Number(made['id']), api: owner.as(tokens['access_token']) }
}

/** Makes an agent, published unless said otherwise, and answers its id. */
export async function makeAgent(owner: Api, more: Readonly<Record<string, unknown>> = {}, isDraft = false) {
  const wish = { code: 'helper', name: 'Helper', model: 'demo', instructions: 'secret words', ...more }
  const { id } = dataOf(await owner.post('/admin/ai/agents', wish), 201)
  const agentId = textOf(id)
  if (!isDraft) dataOf(await owner.post(`/admin/ai/agents/${agentId}/publish`, {}))
  return agentId
}

/** One field of each thing of a list. */
export function listOf(body: Body, field: string): readonly unknown[] {
  return (body['items'] as unknown as readonly Body[]).map((item) => item[field] as unknown)
}
