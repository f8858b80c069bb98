import assert from 'node:assert/strict'
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'mocha'
import access from '../../../core-plugins/access/index.ts'
import config from '../../../core-plugins/config/index.ts'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import { storageDrivers } from '../../../core-plugins/storage/contract.ts'
import { createLocalVolume } from '../../../core-plugins/storage/drivers/local/local-volume.ts'
import storage from '../../../core-plugins/storage/index.ts'
import { ByteHolds } from '../../../core-plugins/storage/objects/byte-holds.ts'
import { Discards } from '../../../core-plugins/storage/objects/discards.ts'
import type { StorageParts } from '../../../core-plugins/storage/objects/storage-parts.ts'
import { sweepExpired, sweepOrphans } from '../../../core-plugins/storage/sweep.ts'
import { assertLeavesNothing, silentLog, startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { plainIdentity } from '../../support/plain-identity.ts'
import { filesBelow, memoryDriver, namespace, plugins, read, rowsOf, storageOf } from '../../support/storage.ts'

describe('a signed link', () => {
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins })))
  after(() => host[Symbol.asyncDispose]())

  const pathOf = (url: string): string => new URL(url).pathname

  it('gives the object to whoever has it, as a file that no browser runs', async () => {
    const store = storageOf(host).open('linked', 3)
    await store.put('r/Bericht “1”.html', Buffer.from('<script>'), { contentType: 'text/html' })
    const { status, headers, body } = await host.api.get(pathOf(await store.signedUrl('r/Bericht “1”.html', 60)))
    assert.deepEqual([status, body], [200, '<script>'])
    assert.deepEqual(
      [
        'content-type',
        'content-length',
        'content-disposition',
        'content-security-policy',
        'x-content-type-options',
      ].map((name) => headers[name]),
      [
        'text/html',
        '8',
        `attachment; filename="Bericht__1_.html"; filename*=UTF-8''Bericht%20%E2%80%9C1%E2%80%9D.html`,
        "sandbox; default-src 'none'",
        'nosniff',
      ],
    )
  })

  it('is refused when it was changed or made up, and dead when its object is gone', async () => {
    const store = storageOf(host).open('linked', 4)
    await assert.rejects(store.signedUrl('k', 60), { code: 4040 })
    await store.put('k', Buffer.from('x'))
    const link = pathOf(await store.signedUrl('k', 60))
    const token = link.slice(link.lastIndexOf('/') + 1)
    const middle = token[10] === 'A' ? 'B' : 'A'
    for (const wrong of [
      `${token}A`,
      token.slice(0, -1),
      `${token.slice(0, 10)}${middle}${token.slice(11)}`,
      'x',
      '..',
    ]) {
      const answer = await host.api.get(`/api/public/files/${encodeURIComponent(wrong)}`)
      assert.ok([403, 404].includes(answer.status), `${wrong}: ${answer.status}`)
    }
    assert.deepEqual((await host.api.get(`/api/public/files/${token}A`)).body['code'], 4032)
    await store.put('k', Buffer.from('newer'))
    assert.equal((await host.api.get(link)).body, 'newer')
    await store.delete('k')
    const gone = await host.api.get(link)
    assert.deepEqual([gone.status, gone.body['code']], [404, 4040])
  })
})

/** What the sweeps of a host stand on. */
function partsOf({ kernel, dataDir }: TestKernel): StorageParts {
  const { knex: db } = kernel.database
  const volume = createLocalVolume(path.join(dataDir, 'storage'))
  const byRef = () => Promise.resolve({ ref: 'local', driver: 'local', baseUrl: '', volume })
  const volumes = { current: byRef, byRef, linkOrigins: () => Promise.resolve([]) }
  const holds = new ByteHolds(db)
  const discards = new Discards({ db, jobs: kernel.services.get(jobs), holds, volumes })
  return { db, log: silentLog, volumes, discards, holds, signingKey: Buffer.alloc(32), publicUrl: '' }
}

describe('what storage clears away', () => {
  it('is a namespace with the objects of all tenants, and nothing else', async () => {
    await using host = await startTestKernel({ plugins })
    const objects = storageOf(host)
    for (const tenant of [0, 1, 2]) await objects.open(namespace, tenant).put('k', Buffer.from('abc'))
    await objects.open('plugins/acme.reports2', 1).put('k', Buffer.from('other'))
    assert.deepEqual(await objects.usage(namespace), { bytes: 9, objects: 3 })
    assert.deepEqual(await objects.clear(namespace), { bytes: 9, objects: 3 })
    assert.deepEqual(await objects.usage(namespace), { bytes: 0, objects: 0 })
    assert.equal((await rowsOf(host.kernel.database.knex)).length, 1)
    assert.equal((await filesBelow(path.join(host.dataDir, 'storage'))).length, 1)
  })

  it('is what expired, and old bytes that no row knows', async () => {
    await using host = await startTestKernel({ plugins })
    const root = path.join(host.dataDir, 'storage')
    const store = storageOf(host).open('swept', 1)
    await store.put('kept', Buffer.from('x'), { ttlSeconds: 3600 })
    await store.put('over', Buffer.from('x'), { ttlSeconds: 3600 })
    const { knex: db } = host.kernel.database
    await db('storage_objects')
      .where({ key: 'over' })
      .update({ expires_at: new Date(0) })
      .queryContext({ tenant: 'all' })
    const parts = partsOf(host)
    await sweepExpired(parts)
    assert.deepEqual(await rowsOf(db).then((rows) => rows.map((row) => (row as { key: string }).key)), ['kept'])
    const uuid = '00000000-0000-4000-8000-000000000000'
    const orphans = [`00/${uuid}`, `incoming/${uuid}`, `t1/2024/02/${uuid}`, `t12/2026/11/${uuid}.txt`]
    const others = [
      't1/notes.txt',
      `t1/2026/${uuid}`,
      `t1/2026/11/${uuid}.txt.bak`,
      't1/2026/11/report.txt',
      `Tx/${uuid}`,
    ]
    for (const file of [...orphans, ...others]) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true })
      await writeFile(path.join(root, file), 'x')
    }
    for (const file of await filesBelow(root)) await utimes(file, new Date(0), new Date(0))
    await writeFile(path.join(root, 'incoming', '00000000-0000-4000-8000-000000000002'), 'being written')
    await sweepOrphans(parts)
    const left = (await filesBelow(root)).map((file) => path.relative(root, file))
    const [kept] = (await rowsOf(db)) as readonly { location: string }[]
    const young = 'incoming/00000000-0000-4000-8000-000000000002'
    assert.deepEqual(left.sort(), [...others, young, kept?.location].sort())
    assert.equal(await read(store, 'kept'), 'x')
  })

  it('is not what lies where objects lay before locations had tenant and month', async () => {
    await using host = await startTestKernel({ plugins })
    const root = path.join(host.dataDir, 'storage')
    const store = storageOf(host).open('old', 1)
    await store.put('k', Buffer.from('old'), { extension: 'txt' })
    const { knex: db } = host.kernel.database
    const [row] = (await rowsOf(db)) as readonly { id: string; location: string }[]
    const now = new Date().toISOString()
    assert.equal(row?.location, `t1/${now.slice(0, 4)}/${now.slice(5, 7)}/${row?.id}.txt`)
    const location = `${row?.id.slice(0, 2)}/${row?.id}`
    const file = path.join(root, location)
    await mkdir(path.dirname(file))
    await rename(path.join(root, row?.location ?? ''), file)
    await db('storage_objects').update({ location }).queryContext({ tenant: 'all' })
    await utimes(file, new Date(0), new Date(0))
    await sweepOrphans(partsOf(host))
    assert.equal(await read(store, 'k'), 'old')
    await store.delete('k')
    assert.deepEqual(await filesBelow(root), [])
  })
})

describe('storage as a plugin', () => {
  it('works on one connection, and with a driver of another plugin', async () => {
    await using host = await startTestKernel({ plugins, poolSize: 1 })
    const { driver, kept } = memoryDriver('local')
    using registered = host.kernel.services.get(storageDrivers).register(driver)
    const store = storageOf(host).open('driven', 1)
    await store.put('k', Buffer.from('x'), { limits: { totalBytes: 5, objects: 1 } })
    assert.deepEqual([await read(store, 'k'), kept.size, registered !== undefined], ['x', 1, true])
    await store.delete('k')
    assert.equal(kept.size, 0)
  })

  it('leaves nothing behind when it is disabled', async () => {
    await using host = await startTestKernel({ plugins: [config, access, jobsPlugin, plainIdentity] })
    await assertLeavesNothing(host.kernel, storage)
  })
})
