import assert from 'node:assert/strict'
import { errorsOf, itemsOf } from '../../support/configuration.ts'
import type { TestKernel } from '../../support/kernel.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { providerPlugin, startCaptchas, wordProvider, words } from './world.ts'

const platform = { token: platformToken('platform_config:*') }
const five = { token: tenantToken(5, 'tenant_config:*') }
const seven = { token: tenantToken(7, 'tenant_config:*') }
const platformGroup = '/configs/groups/platform_captcha'
const tenantGroup = '/configs/groups/tenant_captcha'
const refused = (key: string): unknown => [422, 4222, [`${key} options`]]

describe('the choice of a captcha', () => {
  let host: TestKernel

  before(async () => {
    host = await startCaptchas()
    const picky = wordProvider({
      code: 'picky',
      plugin: 'acme.picky',
      title: { default: 'Picky', 'zh-CN': '挑剔' },
      isOffered: (tenantId) => Promise.resolve(tenantId === 5),
    })
    await host.kernel.enable(providerPlugin('acme.picky', picky))
  })
  after(() => host[Symbol.asyncDispose]())

  const choicesOf = async (path: string, options: { readonly token: string }): Promise<unknown> => {
    const item = itemsOf(await host.api.get(path, options))['captcha_provider']
    return (item?.['options'] as unknown as readonly { value: string; label: string }[]).map(
      ({ value, label }) => `${value} ${label}`,
    )
  }

  it('is among those that serve whoever chooses', async () => {
    const all = ['image Image', 'words words', 'once once']
    assert.deepEqual(await choicesOf(tenantGroup, five), [...all, 'picky Picky'])
    assert.deepEqual(await choicesOf(tenantGroup, seven), all)
    assert.deepEqual(await choicesOf(platformGroup, platform), [...all, 'picky Picky'])
  })

  it('is refused for what is not there or not offered', async () => {
    const put = async (path: string, body: object, options: { readonly token: string }): Promise<unknown> =>
      errorsOf(await host.api.put(path, body, options))
    assert.deepEqual(await put(platformGroup, { captcha_provider: 'nobody' }, platform), refused('captcha_provider'))
    assert.deepEqual(await put(tenantGroup, { captcha_provider: 'picky' }, seven), refused('captcha_provider'))
    assert.deepEqual(
      await put(tenantGroup, { captcha_provider: 'plugin', captcha_plugin: 'acme.nobody' }, five),
      refused('captcha_plugin'),
    )
    assert.deepEqual(await put(tenantGroup, { captcha_provider: 'picky' }, five), [200, 0, []])
    assert.deepEqual(await put(tenantGroup, { captcha_provider: 'picky' }, platform), [200, 0, []])
    assert.deepEqual(await put(platformGroup, { captcha_provider: 'picky' }, platform), [200, 0, []])
    assert.deepEqual(await put(tenantGroup, { captcha_provider: '' }, five), [200, 0, []])
  })

  it('stands, and may be left, while its plugin is away', async () => {
    assert.equal((await host.api.put(tenantGroup, { captcha_provider: 'words' }, seven)).status, 200)
    await host.kernel.disable(words.name)
    const other = await host.api.put(tenantGroup, { captcha_difficulty: 'hard' }, seven)
    const left = await host.api.put(tenantGroup, { captcha_provider: 'image' }, seven)
    assert.deepEqual([other.status, left.status], [200, 200])
  })
})
