// @both-back-ends
import assert from 'node:assert/strict'
import { dataOf, refusalOf, startPlatform } from '../../support/platform.ts'
import { withSmallFiles } from '../../support/small-files.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const limitBytes = 300_000

const handlers = `{ handlers: {
  async put({ body }, ctx) { await ctx.storage.put('large.txt', 'x'.repeat(body.bytes)); return {} },
  async look({ body }, ctx) {
    try { await ctx.storage.put('large.txt', 'x'.repeat(body.bytes)) } catch (error) { return { code: error.code } }
    return { code: null }
  },
  async read(request, ctx) { const found = await ctx.storage.get('large.txt'); return { length: found.base64.length } },
} }`
const manifest = {
  capabilities: ['storage'],
  reasons: { storage: 'Keeps files.' },
  admin_routes: [
    ...['put', 'look'].map((name) => ({ method: 'POST', path: `/${name}`, handler: name })),
    { method: 'GET', path: '/read', handler: 'read' },
  ],
}

describe('a full disk under a plugin', () => {
  it('is 507 to the caller of a plugin that does not mind it, is told to one that does, and pauses nobody', async () => {
    await using platform = await startPlatform()
    const { admin } = platform
    await installAndEnable(admin, await packSmall('acme.hoards', manifest, handlers))
    const api = '/admin/plugins/acme.hoards/api'
    dataOf(await admin.post(`${api}/put`, { bytes: 1000 }))
    {
      await using full = new AsyncDisposableStack()
      full.use(await withSmallFiles(limitBytes))
      // Often enough to open a breaker, if this were the plugin's doing.
      for (let count = 0; count < 25; count++) {
        const answer = await admin.post(`${api}/put`, { bytes: limitBytes + 1 })
        assert.deepEqual(refusalOf(answer), { status: 507, code: 5070, reason: 'storage_full' })
      }
      const seen: unknown = dataOf(await admin.post(`${api}/look`, { bytes: limitBytes + 1 }))['code']
      assert.notEqual(seen, null)
      assert.equal(dataOf(await admin.get(`${api}/read`))['length'], base64Length(1000))
    }
    dataOf(await admin.post(`${api}/put`, { bytes: limitBytes + 1 }))
    assert.equal(dataOf(await admin.get(`${api}/read`))['length'], base64Length(limitBytes + 1))
  })
})

function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3)
}
