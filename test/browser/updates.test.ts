import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { TestIndex } from '../core-plugins/plugin-index/world.ts'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'

const source = 'updates'
const serving = 'acme.supplying'
const limited = 'acme.limited'
const plain = 'acme.plain'
const served = 'acme.supplied'
const leaves = `These plugins are left without a service that they use now: ${served}`

describe('upgrades of many at once', () => {
  const acts = useActs()
  let staff: Api
  let index: TestIndex
  let key: unknown

  before(async () => {
    staff = await acts.stage.staff()
    index = await TestIndex.create('official')
    for (const version of ['1.0.0', '2.0.0']) {
      await index.publish(serving, {
        manifest: serves(version),
        definition: '{ services: { find: () => ({}) } }',
      })
      // An index tells of capabilities and hosts alone.
      const more = version === '1.0.0' ? {} : { limits: { cpuMs: 2000 } }
      await index.publish(limited, { manifest: { version, ...more } })
      await index.publish(plain, { manifest: { version } })
    }
    await index.build()
    const { kid, publicKey } = index.publisher
    const believed = { publisher: 'acme', kid, public_key: publicKey, level: 'official' }
    key = dataOf(await staff.post('/admin/plugins/publishers', believed), 201)['id']
    const url = pathToFileURL(index.directory).href
    dataOf(await staff.post('/admin/plugins/sources', { id: source, name: source, url }), 201)
    dataOf(await staff.post(`/admin/plugins/sources/${source}/refresh`))
  })
  beforeEach(async () => {
    for (const name of [serving, limited, plain]) await install(name)
    const uses = { [`${serving}/contacts`]: '^1.0.0' }
    const asks = { capabilities: ['services:use'], reasons: { 'services:use': 'Asks.' }, uses }
    await installAndEnable(staff, await packSmall(served, asks))
  })
  afterEach(async () => {
    for (const name of [served, serving, limited, plain]) await staff.delete(`/admin/plugins/${name}?purge=true`)
  })
  after(async () => {
    await staff.delete(`/admin/plugins/sources/${source}`)
    await staff.delete(`/admin/plugins/publishers/${String(key)}`)
    await index[Symbol.asyncDispose]()
  })

  it('those that would leave others without a service, or ask for more than the index tells, are left out and named', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/updates')
    await page.getByRole('button', { name: 'Upgrade 3 that ask for nothing new' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 could not be changed').waitFor()
    assert.deepEqual(await reasonsIn(page), [
      [limited, 'It asks for something new: upgrade it by itself.'],
      [serving, leaves],
    ])
    assert.deepEqual(await axeFaults(page), [])
    assert.deepEqual(await versions(), { [serving]: '1.0.0', [limited]: '1.0.0', [plain]: '2.0.0' })
    assert.equal(dataOf(await staff.get(`/admin/plugins/${limited}`))['pending'], null)

    // Once nobody would be left without anything it is one of them.
    dataOf(await staff.delete(`/admin/plugins/${served}?purge=true`))
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('1 could not be changed').waitFor()
    assert.deepEqual(await versions(), { [serving]: '2.0.0', [limited]: '1.0.0', [plain]: '2.0.0' })
    await dialog.getByRole('link', { name: limited }).click()
    await page.getByText(`${limited} 1.0.0`).waitFor()
  })

  it('so it is for those that are ticked in the list of plugins; what asks for more waits there', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins?page_size=100')
    for (const name of [serving, limited, plain])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Upgrade', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 could not be changed').waitFor()
    assert.deepEqual(await reasonsIn(page), [[serving, leaves]])
    assert.deepEqual(await versions(), { [serving]: '1.0.0', [limited]: '1.0.0', [plain]: '2.0.0' })
    assert.notEqual(dataOf(await staff.get(`/admin/plugins/${limited}`))['pending'], null)
    await dialog.getByRole('link', { name: serving }).click()
    await page.getByText(`${serving} 1.0.0`).waitFor()
  })

  function serves(version: string): object {
    const methods = [{ name: 'find', handler: 'find', input: { type: 'object' } }]
    const provides = { services: [{ name: 'contacts', version, methods }] }
    return { version, capabilities: ['services:provide'], reasons: { 'services:provide': 'Serves.' }, provides }
  }
  async function install(name: string): Promise<void> {
    const installed = dataOf(await staff.post('/admin/plugins/install', { name, version: '1.0.0', source }), 201)
    const { consent } = installed
    if (consent) {
      const { release_hash, diff_hash } = consent
      dataOf(await staff.post(`/admin/plugins/${name}/consent`, { accept: true, release_hash, diff_hash }))
    }
    dataOf(await staff.post(`/admin/plugins/${name}/enable`))
  }
  /** Which plugin is left out, and why. */
  async function reasonsIn(page: Page): Promise<readonly (readonly string[])[]> {
    const lines = (await page.getByRole('dialog').getByRole('listitem').all()).map((line) => line.innerText())
    return (await Promise.all(lines)).map((line) => line.split('\n')).sort()
  }
  async function versions(): Promise<Readonly<Record<string, unknown>>> {
    const read = async (name: string) => [name, dataOf(await staff.get(`/admin/plugins/${name}`))['version']] as const
    return Object.fromEntries(await Promise.all([serving, limited, plain].map(read)))
  }
})
