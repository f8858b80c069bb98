import type { Kernel } from '#kernel'
import type { Api } from './api.ts'
import { dataOf } from './platform.ts'

/** Somebody of the platform who signed in an hour ago, with a token of this moment. */
export async function signedInLongAgo(
  { api, kernel }: { readonly api: Api; readonly kernel: Kernel },
  account: string,
  password: string,
): Promise<Api> {
  const signedIn = dataOf(await api.post('/admin/auth/login/json', { account, password }))
  await kernel.database
    .knex('auth_sessions')
    .where({ id: signedIn['session_id'] })
    .update({ created_at: new Date(Date.now() - 3_600_000) })
    .queryContext({ tenant: 0 })
  const again = await api.post('/admin/auth/refresh', { refresh_token: signedIn['refresh_token'] })
  return api.as(dataOf(again)['access_token'])
}
