import assert from 'node:assert/strict'
import type { Answer, Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'

const name = 'acme.shop'
const plugin = `/admin/plugins/${name}`

/** What the details of a refusal tell to do instead. */
interface Call {
  readonly method: 'POST'
  readonly path: string
  readonly content_type: string
  readonly body: object
}

const source = (text: string) => `import { PluginError } from '@stoa/plugin-sdk'
export default { handlers: {
  text: () => ({ text: '${text}' }),
  sold: () => { throw new PluginError('conflict', 'There is none left', { reason: 'sold_out', left: 0 }) },
  odd: () => { throw new PluginError('conflict', 'Odd', { reason: 'Not a word!' }) },
  long: () => { throw new PluginError('forbidden', 'Long', { reason: 'a'.repeat(65) }) },
} }`

function pack(version: string, text: string): Promise<Buffer> {
  const routes = ['text', 'sold', 'odd', 'long'].map((handler) => ({ method: 'GET', path: `/${handler}`, handler }))
  return packSmall(name, { version, admin_routes: routes }, undefined, { 'src/index.ts': source(text) })
}

describe('a package whose plugin is installed', () => {
  let platform: Platform
  let admin: Api
  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    await installAndEnable(admin, await pack('1.0.0', 'first'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const text = async () => dataOf(await admin.get(`${plugin}/api/text`))['text']
  const callOf = ({ body }: Answer) => body['details']?.['call'] as unknown as Call | undefined
  const refused = async (zip: Buffer, reason: string): Promise<Call | undefined> => {
    const answer = await upload(admin, zip)
    assert.deepEqual(refusalOf(answer), { status: 409, code: 4094, reason })
    assert.doesNotMatch(JSON.stringify(answer.body), /uninstall/i)
    return callOf(answer)
  }

  it('is answered with the call that upgrades it, which does', async () => {
    const next = await pack('1.1.0', 'second')
    const call = (await refused(next, 'plugin_installed')) ?? assert.fail('no call')
    assert.deepEqual(call, {
      method: 'POST',
      path: `/plugins/${name}/upgrade`,
      content_type: 'multipart/form-data',
      body: { file: 'the package, once more' },
    })
    const [field = ''] = Object.keys(call.body)
    dataOf(await admin.call(call.method, call.path, { file: { field, name: 'a.plugin.zip', content: next } }))
    assert.equal(await text(), 'second')
  })

  it('is answered with the call that rolls it back where it is older, which does', async () => {
    const call = (await refused(await pack('1.0.0', 'first'), 'plugin_newer_installed')) ?? assert.fail('no call')
    assert.deepEqual(call.body, { version: '1.0.0' })
    dataOf(await admin.post(call.path, call.body))
    assert.equal(await text(), 'first')
  })

  it('is told what is wrong where it is none of both', async () => {
    assert.equal(await refused(await pack('1.0.0', 'other'), 'plugin_release_changed'), undefined)
    assert.equal(await refused(await pack('0.9.0', 'never seen'), 'plugin_newer_installed'), undefined)
  })
})

describe('an error that a plugin throws', () => {
  it('keeps its reason, status, message and details, and without a fit reason has that of its code', async () => {
    await using platform = await startPlatform()
    const { admin } = platform
    await installAndEnable(admin, await pack('1.0.0', 'first'))
    const told = async (path: string) => {
      const { status, body } = await admin.get(`${plugin}/api/${path}`)
      return [status, body['code'], body['reason'], body['message'], body['details']]
    }
    const own = (reason: string) => `plugin.${name}.${reason}`
    assert.deepEqual(
      [await told('sold'), await told('odd'), await told('long')],
      [
        [409, 4090, own('sold_out'), 'There is none left', { reason: 'sold_out', left: 0 }],
        [409, 4090, own('conflict'), 'Odd', { reason: 'Not a word!' }],
        [403, 4030, own('forbidden'), 'Long', { reason: 'a'.repeat(65) }],
      ],
    )
  })
})
