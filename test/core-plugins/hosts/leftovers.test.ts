// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Staging } from '../../../core-plugins/plugins/releases/staging.ts'
import { isLasting } from '../../../core-plugins/plugins/running/lasting-fault.ts'
import { HostFaults } from '../../../core-plugins/plugins/running/host-faults.ts'
import type { DesiredPlugin } from '../../../core-plugins/plugins/running/desired-state.ts'
import { DeclarationError } from '#kernel'
import { PackageInvalidError, PackageSignatureError, ReleaseDamagedError, UnpackingFailedError } from '#marketplace'
import { testRedisUrl } from '../../support/cluster.ts'
import { startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { hostSecrets, patience } from './world.ts'

const ghost = 'acme.ghost'

describe('what an operation that came to nothing unpacked', () => {
  it('goes with the end of the operation, on every host', async () => {
    await using hosts = new AsyncDisposableStack()
    const one = hosts.use(await startPlatform({ env: hostSecrets }))
    const all = [one]
    if (testRedisUrl() !== undefined) {
      const { databaseUrl, namespace } = one.host
      all.push(hosts.use(await startPlatform({ env: hostSecrets, databaseUrl, namespace })))
    }
    for (const host of all) await leaveFiles(host)
    // As a host that was killed within it leaves it.
    const id = randomUUID()
    const { knex } = one.host.kernel.database
    await knex('plugin_operations').insert({ id, plugin: ghost, kind: 'install', step: 'load_test', fencing: 0 })
    await until(async () => (await Promise.all(all.map(packagesOf))).flat().length === 0, patience)
    const isAborted = async (): Promise<boolean> =>
      (await knex('plugin_operations').where({ id, state: 'aborted' }).first('id')) !== undefined
    await until(isAborted, patience)
  })

  it('goes also on a host that the word of the end does not reach', async () => {
    await using platform = await startPlatform({ env: hostSecrets })
    const { knex } = platform.host.kernel.database
    const id = randomUUID()
    // Another host is at it, and ends it; nobody here is told.
    const expires_at = knex.raw(`now() + interval '1 hour'`)
    await knex('plugin_locks').insert({ plugin: ghost, operation_id: id, holder: 'elsewhere', fencing: 1, expires_at })
    await knex('plugin_operations').insert({ id, plugin: ghost, kind: 'install', step: 'load_test', fencing: 1 })
    await leaveFiles(platform)
    await knex('plugin_operations').where({ id }).update({ state: 'aborted', finished_at: knex.fn.now() })
    await until(async () => (await packagesOf(platform)).length === 0, patience)
  })
})

describe('the staging folder', () => {
  it('loses what no living process holds, and nothing that one still works on', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-test-'))
    try {
      const [own, neighbour, dead] = ['own', 'neighbour', 'dead'].map((id) => new Staging(dataDir, id))
      assert.ok(own && neighbour && dead)
      for (const staging of [own, neighbour, dead]) await writeFile(path.join(await staging.make(), 'pkg.zip'), '')
      const longAgo = new Date(Date.now() - 3_600_000)
      for (const { folder } of [own, neighbour, dead]) await utimes(folder, longAgo, longAgo)
      await neighbour.renew()
      await own.sweep({ isAlone: false })
      assert.deepEqual((await readdir(path.join(dataDir, 'staging'))).sort(), ['neighbour', 'own'])
      await own.sweep({ isAlone: true })
      assert.deepEqual(await readdir(path.join(dataDir, 'staging')), ['own'])
      await own[Symbol.asyncDispose]()
      assert.deepEqual(await readdir(path.join(dataDir, 'staging')), [])
      await own.renew()
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

describe('a fault of loading', () => {
  const proofs: readonly unknown[] = [
    new ReleaseDamagedError({ release: 'acme.x 1.0.0' }),
    new PackageInvalidError({ problem: 'it climbs out' }, { details: { rule: 'path' } }),
    new PackageSignatureError({ problem: 'it does not verify' }, { details: { rule: 'signature' } }),
    new DeclarationError('acme.x registers GET /hi, which acme.y owns already'),
  ]
  const passing: readonly unknown[] = [
    ...['ENOSPC', 'ENOENT', 'EMFILE', 'ENOMEM', 'EIO', 'EACCES', 'ETIMEDOUT'].map((code) =>
      Object.assign(new Error(code), { code }),
    ),
    new UnpackingFailedError({ why: 'its process ended early (SIGKILL)' }),
    new PackageInvalidError({ problem: 'opening it takes more than 15000 ms' }, { details: { rule: 'time_limit' } }),
    new Error('whatever nobody thought of'),
    new TypeError('undefined is no function'),
    'a text',
  ]

  it('is lasting only where the package proves it', () => {
    assert.deepEqual(
      [proofs.map(isLasting), passing.map(isLasting)],
      [proofs.map(() => true), passing.map(() => false)],
    )
  })
})

describe('what a host could not start', () => {
  const pluginOf = (name: string, epoch = 1) => ({ name, id: 1, releaseId: 1, epoch }) as DesiredPlugin

  it('is tried twice as late each time, one of all soon, and all at once when one goes well', () => {
    let now = 0
    const faults = new HostFaults(() => now)
    const [a, b] = [pluginOf('acme.a'), pluginOf('acme.b')]
    const due = () => [...faults.due()]
    assert.equal(faults.note(a, new Error('full')), true)
    assert.equal(faults.note(b, new Error('full')), true)
    assert.deepEqual(
      [due(), faults.isDue(a, faults.due()), faults.isDue(pluginOf('acme.a', 2), faults.due())],
      [[], false, true],
    )
    now = 1_000
    assert.deepEqual(due(), ['acme.a', 'acme.b'])
    for (; now < 60_000; now += 1_000)
      for (const plugin of [a, b]) assert.equal(faults.note(plugin, new Error('full')), false)
    assert.deepEqual(due(), [])
    now += 2_000
    assert.deepEqual(due(), ['acme.a'])
    faults.mended('acme.a')
    assert.deepEqual([due(), faults.list().map(({ plugin }) => plugin)], [['acme.b'], ['acme.b']])
  })
})

async function leaveFiles({ host }: Platform): Promise<void> {
  const folder = path.join(host.dataDir, 'packages', ghost, '1.0.0-0123456789ab')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'manifest.json'), '{}')
}

async function packagesOf({ host }: Platform): Promise<readonly string[]> {
  return (await readdir(path.join(host.dataDir, 'packages')).catch(() => [])).filter((name) => name === ghost)
}
