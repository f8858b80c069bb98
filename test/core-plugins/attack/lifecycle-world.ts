import type { Answer, Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'

/** An administrator who holds these permissions and no other. */
export async function createAdministrator(admin: Api, code: string, permissions: readonly string[]): Promise<Api> {
  dataOf(await admin.post('/admin/roles', { code, name: code, permissions }), 201)
  const user = { email: `${code}@stoa.test`, password: 'a long enough passphrase' }
  dataOf(await admin.post('/admin/users', { ...user, roles: [code] }), 201)
  return admin.as(dataOf(await admin.post('/admin/auth/login/json', user))['access_token'])
}

/** What each of these came to, as `status reason`; a fault of the platform would be 500. */
export async function outcomesOf(answers: readonly Promise<Answer>[]): Promise<readonly string[]> {
  const all = await Promise.all(answers)
  return all.map(({ status, body }) => (status < 400 ? String(status) : `${status} ${JSON.stringify(body['reason'])}`))
}
