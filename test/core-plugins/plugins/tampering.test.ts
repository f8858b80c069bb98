import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { createSigningKey, signPackage } from '#marketplace'
import type { Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const name = 'acme.signed'

describe('a release whose row was changed in the database', () => {
  let platform: Platform
  let admin: Api
  let knex: Knex

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    knex = platform.host.kernel.database.knex
    const route = { method: 'GET', path: '/who', handler: 'who' }
    const answers = '{ handlers: { who: () => ({ who: "the one that was installed" }) } }'
    await installAndEnable(admin, await packSmall(name, { admin_routes: [route] }, answers))
    dataOf(await admin.post(`/plugins/${name}/disable`))
  })
  after(() => platform[Symbol.asyncDispose]())

  const cases: Readonly<Record<string, (row: Row) => object>> = {
    'its signature is gone': () => ({ signature: null }),
    'its signature is of another key': ({ manifest, files }) => {
      const described = Object.entries(files).map(([path, sha256]) => ({ path, sha256, size: 1 }))
      return { signature: JSON.stringify(signPackage({ manifest, files: described }, createSigningKey('site'))) }
    },
    'it names another tree': () => ({ tree_hash: '0'.repeat(64) }),
    'it names another version': () => ({ version: '1.0.1' }),
  }
  for (const [what, change] of Object.entries(cases)) {
    it(`does not run when ${what}`, async () => {
      const row = await knex('plugin_releases').where({ name }).first<Row>()
      await knex('plugin_releases').where({ id: row.id }).update(change(row))
      const refused = await admin.post(`/plugins/${name}/enable`)
      assert.deepEqual(refusalOf(refused), { status: 400, code: 4009, reason: 'package_signature_invalid' })
      const { version, tree_hash, signature } = row
      await knex('plugin_releases')
        .where({ id: row.id })
        .update({ version, tree_hash, signature: JSON.stringify(signature) })
    })
  }

  it('runs as it was signed when its manifest, its files or its trust are rewritten', async () => {
    const row = await knex('plugin_releases').where({ name }).first<Row>()
    const manifest = JSON.stringify({ ...row.manifest, admin_routes: [], title: { default: 'Another' } })
    await knex('plugin_releases')
      .where({ id: row.id })
      .update({ manifest, files: JSON.stringify({ 'dist/index.js': '0'.repeat(64) }), trust: 'official' })
    dataOf(await admin.post(`/plugins/${name}/enable`))
    assert.deepEqual(dataOf(await admin.get(`/admin/plugins/${name}/api/who`)), { who: 'the one that was installed' })
  })
})

interface Row {
  readonly id: number
  readonly version: string
  readonly tree_hash: string
  readonly signature: object
  readonly manifest: { readonly name: string; readonly version: string; readonly publisher: string }
  readonly files: Readonly<Record<string, string>>
}
