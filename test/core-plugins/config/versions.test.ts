import assert from 'node:assert/strict'
import { itemsOf, owner, plugins } from '../../support/configuration.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'

describe('versions of configuration groups', () => {
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins })))
  after(() => host[Symbol.asyncDispose]())

  it('answer 412 when someone else was faster', async () => {
    const url = '/tenant/configs/groups/tenant_basic'
    const { headers } = await host.api.get(url, { token: owner })
    const ifMatch = { token: owner, headers: { 'if-match': String(headers['etag']) } }
    const first = await host.api.put(url, { icp: 'one' }, ifMatch)
    const second = await host.api.put(url, { icp: 'two' }, ifMatch)
    assert.deepEqual([first.status, second.status, second.body['code']], [200, 412, 4120])
    const known = { token: owner, headers: { 'if-none-match': String(first.headers['etag']) } }
    assert.equal((await host.api.get(url, known)).status, 304)
    assert.equal(itemsOf(await host.api.get(url, { token: owner }))['icp']?.['value'], 'one')
  })

  it('are changed by the etag of a body as by that of the header, quoted or not', async () => {
    const url = '/tenant/configs/groups/tenant_basic'
    const put = async (ifMatch: string, icp: string) =>
      (await host.api.put(url, { icp }, { token: owner, headers: { 'if-match': ifMatch } })).status
    const etagOf = async () => (await host.api.get(url, { token: owner })).body['data']?.['etag'] as unknown as string
    const first = await etagOf()
    assert.deepEqual(
      [await put(first, 'bare'), await put(first, 'late'), await put(`"${first}"`, 'late')],
      [200, 412, 412],
    )
    assert.deepEqual(
      [await put(`"${await etagOf()}"`, 'quoted'), await put(`W/"${await etagOf()}"`, 'weak')],
      [200, 200],
    )
    assert.deepEqual([await put(`"other", ${await etagOf()}`, 'listed'), await put('*', 'any')], [200, 200])
  })

  it('have one version in every language, and an answer of its own in each', async () => {
    const url = '/tenant/configs/groups/tenant_basic'
    const chinese = { 'accept-language': 'zh-CN' }
    const read = await host.api.get(url, { token: owner, headers: chinese })
    const tag = String(read.headers['etag'])
    const statuses = [
      await host.api.get(url, { token: owner, headers: { 'if-none-match': tag, ...chinese } }),
      await host.api.get(url, { token: owner, headers: { 'if-none-match': tag } }),
      await host.api.put(url, { icp: 'zh' }, { token: owner, headers: { 'if-match': tag } }),
      await host.api.put(url, { icp: 'en' }, { token: owner, headers: { 'if-match': tag, ...chinese } }),
    ].map(({ status }) => status)
    assert.deepEqual([read.headers['vary'], statuses], ['Prefer, Accept-Language', [304, 200, 200, 412]])
  })
})
