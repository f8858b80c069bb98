// @any-back-end
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { childEnv } from '../../support/child-env.ts'
import { Api } from '../../support/api.ts'
import { startBackEnd, type BackEnd } from '../../support/back-end.ts'
import { checkout, startHostProcess } from '../../support/host-process.ts'

const run = promisify(execFile)

describe('npm run admin:reset', () => {
  let dataDir: string
  let backEnd: BackEnd

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-admin-reset-'))
    backEnd = await startBackEnd()
  })
  after(async () => {
    await backEnd[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('gives an administrator a link that works once, beside a running host, and nobody else one', async () => {
    const admin = { ADMIN_EMAIL: 'admin@stoa.test', ADMIN_PASSWORD: 'a long enough passphrase' }
    await using host = await startHostProcess({ dataDir, env: { ...backEnd.env, ...admin, STOA_DEMO: '0' } })
    const env = { ...childEnv, DATA_DIR: dataDir, ...backEnd.env }
    const command = [path.join(checkout, 'core-plugins', 'admin-reset.ts'), '--email']
    const { stdout } = await run(process.execPath, [...command, 'Admin@Stoa.test'], { env })
    const token = /#token=([\w-]+)/.exec(stdout)?.[1]
    assert.match(stdout, new RegExp(`http://localhost:3000/console/reset-password#token=${token}`))
    const api = new Api(host.url)
    const reset = () => api.post('/admin/auth/reset-password', { token, new_password: 'another long passphrase' })
    const login = (password: string) => api.post('/admin/auth/login/json', { email: admin.ADMIN_EMAIL, password })
    const answers = [
      await reset(),
      await reset(),
      await login(admin.ADMIN_PASSWORD),
      await login('another long passphrase'),
    ]
    const failed: unknown = await run(process.execPath, [...command, 'nobody@stoa.test'], { env }).catch(
      (error: unknown) => error,
    )
    const { code, stderr } = failed as { code: number; stderr: string }
    assert.deepEqual(
      [answers.map(({ body }) => body['code']), code, stderr.trim()],
      [[0, 4006, 4011, 0], 1, 'There is no active administrator of the platform with the address nobody@stoa.test'],
    )
  })
})
