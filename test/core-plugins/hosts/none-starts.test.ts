import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { definePlugin } from '#kernel'
import { pluginsProgressed } from '../../../core-plugins/plugins/contract.ts'
import type { Answer, Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { described } from '../../support/probe.ts'
import { withSmallFiles } from '../../support/small-files.ts'
import { installAndEnable, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { ownHost, packLarge, patience, smallFiles, statusOf } from './world.ts'
import { lastOperation, upgrade } from '../plugins/upgrades-world.ts'

const notStarted = { status: 503, code: 5030, reason: 'plugin_not_started' }

interface Told {
  readonly state: string
  readonly error: { readonly reason: string } | null
  readonly finished_at: string | null
}

describe('an operation whose release no host can start for a fault that passes', () => {
  let platform: Platform
  let admin: Api
  let full: AsyncDisposableStack

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  beforeEach(() => (full = new AsyncDisposableStack()))
  afterEach(() => full[Symbol.asyncDispose]())
  after(() => platform[Symbol.asyncDispose]())

  const hi = (name: string) => admin.get(`/admin/plugins/${name}/api/hi`)
  const operation = async (name: string, id: string) =>
    dataOf(await admin.get(`/admin/plugins/${name}/operations/${id}`)) as unknown as Told
  const ends = (name: string, id: string) =>
    until(async () => (await operation(name, id)).state === 'succeeded', patience)
  const waits = (name: string) =>
    until(
      async () => (await ownHost(admin)).faults.some(({ plugin, tries }) => plugin === name && tries >= 2),
      patience,
    )

  /** The disk is full from one moment of an operation on, and what was unpacked of the plugin is gone. */
  async function fullFrom(name: string, step: string, run: () => Promise<Answer>): Promise<Answer> {
    let isFull = false
    const fill = async (at: { plugin: string; step: string }): Promise<void> => {
      if (isFull || at.plugin !== name || at.step !== step) return
      isFull = true
      full.use(await withSmallFiles(smallFiles))
      await rm(path.join(platform.host.dataDir, 'packages', name), { recursive: true })
    }
    const setup = (scope: { on(event: typeof pluginsProgressed, listener: typeof fill): void }) =>
      scope.on(pluginsProgressed, fill)
    await platform.host.kernel.enable(definePlugin({ ...described('listener'), setup }))
    try {
      return await run()
    } finally {
      await platform.host.kernel.disable('listener')
      assert.ok(isFull, 'the moment never came')
    }
  }

  /** Asks again while the host itself makes another attempt. */
  async function unlessBusy(run: () => Promise<Answer>): Promise<Answer> {
    let answer = await run()
    const isBusy = () => refusalOf(answer).reason === 'operation_in_progress'
    if (isBusy()) await until(async () => (answer = await run()) && !isBusy(), patience)
    return answer
  }

  /** What was answered names the operation, which is still going on. */
  async function requirePending(name: string, answer: Answer): Promise<string> {
    assert.deepEqual(refusalOf(answer), notStarted)
    const { message, details } = answer.body as unknown as { message: string; details: { operation_id: string } }
    assert.match(message, /EFBIG/)
    assert.equal(answer.headers['retry-after'], '5')
    const { operation_id: id } = details
    const { state, error, finished_at: end } = await operation(name, id)
    assert.deepEqual([state, error?.reason, end], ['running', 'plugin_not_started', null])
    return id
  }

  it('claims no success for an enable, and goes on until it runs', async () => {
    const name = 'acme.enabled'
    dataOf(await upload(admin, await packLarge(name)), 201)
    const enable = () => admin.post(`/admin/plugins/${name}/enable`)
    const id = await requirePending(name, await fullFrom(name, 'converge', enable))
    await waits(name)
    // Asked for again it says the same of the same operation.
    assert.deepEqual(await requirePending(name, await unlessBusy(enable)), id)
    await full.disposeAsync()
    await ends(name, id)
    assert.equal((await hi(name)).status, 200)
    assert.equal(await statusOf(admin, name), 'enabled')
  })

  it('gives way to a stop, after which it is over', async () => {
    const name = 'acme.stopped'
    dataOf(await upload(admin, await packLarge(name)), 201)
    const enable = () => admin.post(`/admin/plugins/${name}/enable`)
    const id = await requirePending(name, await fullFrom(name, 'converge', enable))
    assert.equal(dataOf(await unlessBusy(() => admin.post(`/admin/plugins/${name}/disable`)))['status'], 'installed')
    const { state, error } = await operation(name, id)
    assert.deepEqual([state, error?.reason], ['aborted', 'plugin_operation_overtaken'])
    await full.disposeAsync()
    assert.equal(dataOf(await enable())['status'], 'enabled')
    assert.equal((await hi(name)).status, 200)
  })

  it('claims no success for a repair, which ends behind a stop too', async () => {
    const name = 'acme.repaired'
    await installAndEnable(admin, await packLarge(name))
    const repair = () => admin.post(`/admin/plugins/${name}/repair`)
    const id = await requirePending(name, await fullFrom(name, 'converge', repair))
    assert.equal(await statusOf(admin, name), 'enabled')
    assert.equal(dataOf(await unlessBusy(() => admin.post(`/admin/plugins/${name}/disable`)))['status'], 'installed')
    await ends(name, id)
    assert.equal(await statusOf(admin, name), 'installed')
  })

  it('breaks nothing by a repair that cannot unpack the package here', async () => {
    const name = 'acme.unbroken'
    await installAndEnable(admin, await packLarge(name))
    const repair = () => admin.post(`/admin/plugins/${name}/repair`)
    const refused = { status: 507, code: 5070, reason: 'storage_full' }
    assert.deepEqual(refusalOf(await fullFrom(name, 'unpack', repair)), refused)
    assert.deepEqual(refusalOf(await repair()), refused)
    assert.equal((await lastOperation(admin, name))['state'], 'failed')
    assert.equal(await statusOf(admin, name), 'enabled')
    await full.disposeAsync()
    assert.equal(dataOf(await repair())['status'], 'enabled')
  })

  it('claims no success for an upgrade, which a way back goes before', async () => {
    const name = 'acme.upgraded'
    await installAndEnable(admin, await packLarge(name))
    const next = await packLarge(name, '1.1.0')
    const id = await requirePending(name, await fullFrom(name, 'converge', () => upgrade(admin, name, next)))
    await full.disposeAsync()
    full = new AsyncDisposableStack()
    await ends(name, id)
    assert.equal((await hi(name)).status, 200)
    const later = await packLarge(name, '1.2.0')
    const second = await requirePending(name, await fullFrom(name, 'converge', () => upgrade(admin, name, later)))
    await full.disposeAsync()
    const back = dataOf(await unlessBusy(() => admin.post(`/admin/plugins/${name}/rollback`, { reason: 'a try' })))
    const states = [(await operation(name, second)).state, (await lastOperation(admin, name))['state']]
    // Whichever came first once there was room again.
    assert.ok(states[0] === 'succeeded' || states[0] === 'aborted')
    assert.deepEqual([back['version'], states[1]], ['1.1.0', 'succeeded'])
  })
})
