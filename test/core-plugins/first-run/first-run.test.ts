import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '#kernel'
import { corePluginsWithout } from '../../../core-plugins/core-plugins-without.ts'
import { announcement } from '../../../core-plugins/first-run/contract.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../support/kernel.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'

const plugins = corePluginsWithout(/^(ai|plugins?)($|_)/)
const admin = { email: 'admin@stoa.test', password: 'a long enough passphrase' }
const start = (databaseUrl: string, env: TestKernelOptions['env'] = {}) =>
  startTestKernel({ plugins, databaseUrl, env })
const said = ({ kernel }: TestKernel): string => kernel.services.get(announcement).text

describe('the first run', () => {
  it('tells its secrets once, by word and in a file that goes with the set-up', async () => {
    await using database = await createTestDatabase()
    await using first = await start(database.url, { STOA_DEMO: '1' })
    const file = path.join(first.dataDir, 'first-run.json')
    const { setup_token: token, demo } = JSON.parse(readFileSync(file, 'utf8')) as {
      setup_token: string
      demo: { tenant_code: string; account: string; password: string }
    }
    assert.ok(said(first).includes(token) && said(first).includes(demo.password))
    dataOf(await first.api.post('/auth/login/json', demo))
    dataOf(await first.api.post('/api/public/setup', { token, ...admin }), 201)
    assert.equal(existsSync(file), false)
    const again = await first.api.post('/api/public/setup', { token, ...admin, email: 'second@stoa.test' })
    assert.deepEqual(refusalOf(again), { status: 401, code: 4013, reason: 'setup_token_invalid' })
    await first.kernel.disable('first_run')
    await first.kernel.enable(plugins.find(({ name }) => name === 'first_run')!)
    assert.match(said(first), /^Stoa answers at [^\n]+$/)
  })

  it('makes the administrator of the environment, on whichever start there is none', async () => {
    await using database = await createTestDatabase()
    const wrong = start(database.url, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: 'short' })
    await assert.rejects(
      wrong,
      (error) => error instanceof StartError && /ADMIN_PASSWORD make no admin/.test(error.message),
    )
    await using host = await start(database.url, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
    assert.equal(existsSync(path.join(host.dataDir, 'first-run.json')), false)
    assert.match(said(host), /^Stoa answers at [^\n]+$/)
    dataOf(await host.api.post('/admin/auth/login/json', admin))
  })

  it('points to a new link while there is no administrator', async () => {
    await using database = await createTestDatabase()
    await (await start(database.url))[Symbol.asyncDispose]()
    await using second = await start(database.url)
    assert.match(said(second), /no administrator yet[^\n]+setup-link/)
  })
})
