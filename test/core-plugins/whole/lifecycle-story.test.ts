import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Answer, Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { program, stoa } from '../../marketplace/run-stoa.ts'
import { makeScratch } from '../../marketplace/sample-package.ts'
import { writeRelease } from './lifecycle-story-releases.ts'

const pluginName = 'acme.sales'
const plugin = `/admin/plugins/${pluginName}`
const own = `/tenant/plugins/${pluginName}`
const chinese = { headers: { 'accept-language': 'zh-CN' } }

describe('the story of a plugin, by command line and HTTP alone', () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  let server: ChildProcess
  let platform: Platform
  let admin: Api
  let owner: Api
  let tenantId: number
  let url: string
  /** How the rights of each release that was published differ from the one before. */
  const changes: unknown[] = []

  const run = async (...args: string[]): Promise<Body> => {
    const { exitCode, stdout, stderr } = await stoa(scratch.path, ...args, '--json', '--quiet')
    assert.equal(exitCode, 0, `stoa ${args.join(' ')}: ${stdout}${stderr}`)
    return JSON.parse(stdout) as Body
  }
  const build = () => run('index', 'build', 'plugins', '--key', 'plugins.index-1.key.json')
  const publish = async (version: string) => {
    const folder = join(scratch.path, 'sales')
    await writeRelease(folder, version)
    await run('pack', folder, '--sign', 'acme-1.key.json')
    const { comparison } = await run('publish', `${pluginName}-${version}.plugin.zip`, '--index', 'plugins')
    changes.push([version, comparison?.['change']])
  }
  const refresh = async () => void dataOf(await admin.post('/admin/plugins/sources/mine/refresh'))
  const detail = async () => dataOf(await admin.get(plugin))
  const accept = async (asked: Body | undefined) => {
    const { release_hash, diff_hash } = asked as unknown as { release_hash: string; diff_hash: string }
    return dataOf(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))
  }
  const upgrade = async (version: string) => {
    const asked = dataOf(await admin.post(`${plugin}/upgrade`, { version }))
    return asked['consent'] ? accept(asked['consent']) : asked
  }
  const notes = async (): Promise<readonly Record<string, unknown>[]> =>
    dataOf(await owner.get(`${own}/api/notes`))['items'] as unknown as Record<string, unknown>[]

  before(async () => {
    scratch = await makeScratch()
    await run('create', pluginName, '--out', 'sales')
    await run('keygen', 'acme-1')
    await run('index', 'init', 'plugins')
    await run('index', 'add-publisher', 'acme', 'acme-1.pub.json', '--index', 'plugins', '--level', 'verified')
    for (const version of ['0.1.0', '0.2.0', '0.3.0']) await publish(version)
    await build()
    const args = [program, 'index', 'serve', join(scratch.path, 'plugins'), '--port', '0', '--json']
    server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    server.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text))
    await until(() => Promise.resolve(said.includes('\n')), 30_000)
    url = (JSON.parse(said) as { url: string }).url
    platform = await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: new URL(url).host } })
    admin = platform.admin
    const tenant = await createTenant(admin, 'demo')
    owner = tenant.owner
    tenantId = tenant.id
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
    await scratch[Symbol.asyncDispose]()
  })

  it('is published so that it verifies, and that its rights are told', async () => {
    assert.deepEqual(changes, [
      ['0.1.0', undefined],
      ['0.2.0', 'wider'],
      ['0.3.0', 'none'],
    ])
    await run('verify', `${pluginName}-0.2.0.plugin.zip`, '--index', 'plugins')
  })

  it('is found, and its README is read in Chinese', async () => {
    dataOf(await admin.post('/admin/plugins/sources', { id: 'mine', name: 'Mine', url }), 201)
    await refresh()
    const { items, total } = dataOf(await admin.get('/admin/plugins/marketplace?q=notes')) as unknown as {
      items: { name: string; latest: string; trust: string }[]
      total: number
    }
    assert.deepEqual(
      [total, items.map(({ name, latest, trust }) => [name, latest, trust])],
      [1, [[pluginName, '0.3.0', 'verified']]],
    )
    const readme = dataOf(await admin.get(`/plugins/marketplace/${pluginName}/readme`, chinese))
    const { locale, html } = readme as unknown as { locale: string; html: string }
    assert.deepEqual([locale, /平台的插件/.test(html)], ['zh-CN', true])
  })

  it('is installed with consent to exactly what it is, and used by a tenant alone that wants it', async () => {
    const asked = dataOf(await admin.post('/plugins/install', { name: pluginName, version: '0.1.0' }), 201)
    assert.equal(asked['status'], 'awaiting_consent')
    const early = await admin.post(`${plugin}/enable`)
    assert.deepEqual(refusalOf(early), { status: 409, code: 4094, reason: 'plugin_status' })
    await accept(asked['consent'])
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [tenantId] }))
    dataOf(await admin.post(`${plugin}/enable`))
    assert.equal((await owner.get(`${own}/api/notes`)).body['code'], 4044)
    dataOf(await owner.put(`${own}/config`, { page_size: 5 }))
    dataOf(await owner.post(`${own}/enable`))
    dataOf(await owner.post(`${own}/api/notes`, { text: 'one' }), 201)
    const pages = dataOf(await owner.get('/plugins/slots', chinese))['pages'] as unknown as { title: string }[]
    assert.deepEqual(
      pages.map(({ title }) => title),
      ['便签'],
    )
    const nobody = await createUser(owner, 'demo', [])
    const forbidden = await nobody.get(`${own}/api/notes`)
    assert.deepEqual(refusalOf(forbidden), { status: 403, code: 4031, reason: 'permission_denied' })
  })

  it('runs on as it is while a release that wants more waits for consent', async () => {
    const asked = dataOf(await admin.post(`${plugin}/upgrade`, { version: '0.2.0' }))
    assert.deepEqual([asked['version'], asked['pending']?.['version']], ['0.1.0', '0.2.0'])
    assert.deepEqual(Object.keys((await notes())[0] ?? {}), ['id', 'text', 'created_at'])
    await accept(asked['consent'])
    assert.equal((await notes())[0]?.['stars'], 0)
    const listed = async (query: string) => {
      const { items } = dataOf(await owner.get(`/tenant/plugins?q=${pluginName}${query}`)) as unknown as {
        readonly items: readonly { readonly name: string; readonly capabilities: readonly string[] }[]
      }
      return items.map(({ name, capabilities }) => [name, capabilities.includes('notify')])
    }
    assert.deepEqual(await listed(''), [[pluginName, true]])
    const denied = dataOf(await owner.post(`${own}/enable`, { capabilities_denied: ['notify'] }))
    assert.deepEqual(denied['capabilities_denied'], ['notify'])
    assert.deepEqual(await listed('&enabled=true'), [[pluginName, false]])
    assert.deepEqual(await listed('&enabled=false'), [])
  })

  it('goes back with its schema, and to a release that was kept once more', async () => {
    const keep = await admin.post(`${plugin}/rollback`, { data: 'keep' })
    assert.deepEqual(refusalOf(keep), { status: 409, code: 4094, reason: 'plugin_rollback_schema_differs' })
    assert.equal(dataOf(await admin.post(`${plugin}/rollback`, { data: 'down' }))['version'], '0.1.0')
    assert.equal((await notes())[0]?.['stars'], undefined)
    assert.equal((await upgrade('0.2.0'))['version'], '0.2.0')
  })

  it('goes back over a schema that breaks only with a backup, once what is lost is confirmed', async () => {
    assert.equal((await upgrade('0.3.0'))['version'], '0.3.0')
    dataOf(await owner.post(`${own}/api/notes`, { text: 'two' }), 201)
    const lossy = await admin.post(`${plugin}/rollback`, { data: 'restore' })
    assert.deepEqual(refusalOf(lossy), { status: 409, code: 4094, reason: 'plugin_rollback_loses_rows' })
    assert.equal(lossy.body['details']?.['rows_lost'], 1)
    dataOf(await admin.post(`${plugin}/rollback`, { data: 'restore', confirm: true }))
    assert.deepEqual(
      (await notes()).map(({ text }) => text),
      ['one'],
    )
  })

  it('is switched off by a revocation, and offered without what was yanked', async () => {
    const why = ['--reason', 'Leaks totals', '--index', 'plugins']
    const range = ['--versions', '0.2.0', '--action', 'disable', '--severity', 'high']
    await run('index', 'revoke', pluginName, ...range, ...why)
    await run('index', 'yank', `${pluginName}@0.1.0`, ...why)
    await build()
    await refresh()
    await until(async () => ((await detail())['status'] as unknown) === 'installed')
    let refused: Answer
    // What switched it off may still be ending.
    do refused = await admin.post(`${plugin}/enable`, undefined, chinese)
    while ((refused.body['code'] as unknown) === 4092)
    assert.deepEqual(refusalOf(refused), { status: 409, code: 4094, reason: 'plugin_revoked' })
    assert.match(refused.body['message'] as unknown as string, /撤回/)
    const { items } = dataOf(await admin.get('/plugins/updates')) as unknown as { items: Record<string, unknown>[] }
    assert.deepEqual([items[0]?.['latest_compatible'], items[0]?.['security']], ['0.3.0', true])
  })

  it('says what a removal takes away before it is removed, and leaves a backup', async () => {
    const plan = dataOf(await admin.get(`${plugin}/uninstall-plan`))
    assert.equal((plan['steps'] as unknown as unknown[]).length, 14)
    for (const path of [`${plugin}?dry_run=true`, `${plugin}/force-cleanup?dry_run=true`]) {
      assert.equal((dataOf(await admin.delete(path))['steps'] as unknown as unknown[]).length, 14)
    }
    assert.equal((await detail())['version'], '0.2.0')
    dataOf(await admin.delete(plugin))
    assert.equal((await admin.get(plugin)).body['code'], 4046)
    const kept = dataOf(await admin.get(`${plugin}/backups?kind=uninstall`))
    assert.equal(kept['total'], 1)
  })
})
