import assert from 'node:assert/strict'
import { dataOf, startPlatform } from '../../support/platform.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'

interface Failed {
  readonly id: string
  readonly state: string
  readonly error: { readonly message: string }
}

describe('the error of an operation', () => {
  it('is told to each reader in the own language, and as it stands where its values were not kept', async () => {
    await using platform = await startPlatform()
    const { admin } = platform
    const definition = `{ handlers: {}, hooks: { onEnable() { throw new Error('no') } } }`
    const hooks = { enable: 'onEnable' }
    dataOf(await upload(admin, await packSmall('acme.refusing', { hooks }, definition)), 201)
    assert.equal((await admin.post('/plugins/acme.refusing/enable')).status, 500)
    const read = async (language: string) => {
      const options = { headers: { 'accept-language': language } }
      const list = dataOf(await admin.get('/plugins/acme.refusing/operations', options)) as unknown as {
        items: Failed[]
      }
      const failed = list.items.find(({ state }) => state === 'failed')
      const path = `/plugins/acme.refusing/operations/${failed?.id ?? ''}`
      const one = dataOf(await admin.get(path, options)) as unknown as Failed
      return [failed?.error.message ?? '', one.error.message] as const
    }
    const [english] = await read('en')
    const [chinese] = await read('zh-CN')
    assert.match(english, /^The plugin cannot be loaded: .*no/)
    assert.match(chinese, /^插件无法加载：.*no/)
    assert.deepEqual(
      [await read('en'), await read('zh-CN')],
      [
        [english, english],
        [chinese, chinese],
      ],
    )
    const { knex } = platform.host.kernel.database
    // As versions recorded it that kept no values.
    await knex.raw(`update plugin_operations set error = error - 'values' where plugin = 'acme.refusing'`)
    assert.deepEqual(await read('zh-CN'), [english, english])
  })
})
