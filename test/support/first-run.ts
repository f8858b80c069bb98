import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Api } from './api.ts'
import type { HostProcess } from './host-process.ts'

/** What a first start wrote down for its operator. */
export interface FirstRun {
  readonly setup_token: string
  readonly setup_url: string
  readonly demo: { readonly tenant_code: string; readonly account: string; readonly password: string }
}

/** Reads `first-run.json`, which is there before the host listens. */
export async function readFirstRun(dataDir: string): Promise<FirstRun> {
  return JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun
}

/** With what the admin of `setUp` signs in. */
export const operator = { email: 'admin@stoa.test', password: 'a long enough passphrase' }

/** Uses the set-up link of a new platform and signs its admin in. */
export async function setUp(host: HostProcess, dataDir: string): Promise<{ admin: Api; firstRun: FirstRun }> {
  const firstRun = await readFirstRun(dataDir)
  const api = new Api(host.url)
  const done = await api.post('/api/public/setup', { token: firstRun.setup_token, ...operator })
  if (done.status !== 201) throw new Error(`set-up answered ${done.status}: ${JSON.stringify(done.body)}`)
  const login = await api.post('/admin/auth/login/json', operator)
  return { admin: api.as(login.body['data']?.['access_token']), firstRun }
}
