import assert from 'node:assert/strict'
import { definePlugin, type EventRef } from '#kernel'
import knex, { type Knex } from 'knex'
import { pluginsOperationEnded, pluginsProgressed } from '../../../core-plugins/plugins/contract.ts'
import { withinPatience, type OperationRunner } from '../../../core-plugins/plugins/operations/operation-runner.ts'
import { HealthWatch } from '../../../core-plugins/plugins/upgrades/health-watch.ts'
import { ReleaseCounts } from '../../../core-plugins/plugins/upgrades/release-counts.ts'
import type { Answer, Api, Body } from '../../support/api.ts'
import { silentLog } from '../../support/kernel.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { described } from '../../support/probe.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { installFirst, lastOperation, packRelease, upgrade, versionOf } from './upgrades-world.ts'

const undone = { status: 500, code: 5008, reason: 'plugin_upgrade_undone' }
const failing = [{ hooks: { upgrade: 'onUpgrade' } }, { members: `hooks: { onUpgrade() { throw new Error('no') } },` }]

interface Ended {
  readonly id: string
  readonly state: string
  readonly error: { readonly reason: string }
}

describe('what is answered of an operation is its own end', () => {
  let platform: Platform
  let admin: Api
  let db: Knex

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    db = platform.host.kernel.database.knex
  })
  after(() => platform[Symbol.asyncDispose]())

  const operations = (name: string) => db('plugin_operations').where({ plugin: name })
  const watches = (name: string) =>
    db('plugin_watches').whereIn('plugin_id', db('plugins').select('id').where({ name }))
  const releaseLock = (name: string) => db('plugin_locks').where({ plugin: name }).delete()
  const packFailing = (name: string, version = '1.1.0') => packRelease(name, version, ...failing)

  /** Does something at a moment of an operation, once, while the operation waits for it. */
  async function meanwhile<P extends { readonly plugin: string; readonly kind: string }>(
    moment: EventRef<P>,
    isIt: (at: P) => boolean,
    work: (at: P) => Promise<unknown>,
    run: () => Promise<Answer>,
  ): Promise<Answer> {
    let isDone = false
    const listen = async (at: P): Promise<void> => {
      if (isDone || !isIt(at)) return
      isDone = true
      await work(at)
    }
    const setup = (scope: { on(event: EventRef<P>, listener: typeof listen): void }) => scope.on(moment, listen)
    await platform.host.kernel.enable(definePlugin({ ...described('listener'), setup }))
    try {
      return await run()
    } finally {
      await platform.host.kernel.disable('listener')
      assert.ok(isDone, 'the moment never came')
    }
  }

  it('of an upgrade also when a watch has taken it back before the request looks', async () => {
    await installFirst(admin, 'acme.early')
    const bad = await packFailing('acme.early')
    const takenBack = async () => {
      await releaseLock('acme.early')
      await until(
        async () => (await operations('acme.early').where({ kind: 'rollback', state: 'succeeded' })).length === 1,
      )
      await until(async () => (await watches('acme.early')).length === 0)
    }
    const isEnd = ({ plugin, kind }: { plugin: string; kind: string }) => plugin === 'acme.early' && kind === 'upgrade'
    const answer = await meanwhile(pluginsOperationEnded, isEnd, takenBack, () => upgrade(admin, 'acme.early', bad))
    assert.deepEqual(refusalOf(answer), undone)
    const row = await operations('acme.early').where({ kind: 'upgrade' }).first<Ended>('id', 'state', 'error')
    const { id, state, error } = row
    assert.deepEqual([state, error.reason], ['failed', 'plugin_upgrade_undone'])
    assert.deepEqual(answer.body['details'], { operation_id: id })
    assert.equal(await versionOf(admin, 'acme.early'), '1.0.0')
  })

  it('of an upgrade also when its hook fails after the minute for which it is watched', async () => {
    await installFirst(admin, 'acme.late')
    const bad = await packFailing('acme.late')
    const isHook = ({ plugin, step }: { plugin: string; step: string }) => plugin === 'acme.late' && step === 'hook'
    const minuteIsOver = async () => {
      await watches('acme.late').update({ until: new Date() })
      await until(async () => (await watches('acme.late')).length === 0)
    }
    const answer = await meanwhile(pluginsProgressed, isHook, minuteIsOver, () => upgrade(admin, 'acme.late', bad))
    assert.deepEqual(refusalOf(answer), undone)
    assert.equal(await versionOf(admin, 'acme.late'), '1.0.0')
    const { kind, state } = await lastOperation(admin, 'acme.late')
    assert.deepEqual([kind, state], ['rollback', 'succeeded'])
  })

  it('of an upgrade whose way back is blocked: it says so, and so does its record', async () => {
    const more = {
      capabilities: ['db:own_tables'],
      reasons: { 'db:own_tables': 'Keeps notes.' },
      db: { tables: ['notes'], migrations: 'migrations/' },
    }
    const first = { 'migrations/0001_init.up.sql': 'create table notes (id bigserial primary key);' }
    const added = { 'migrations/0002_text.up.sql': 'alter table notes add column text text;' }
    await installFirst(admin, 'acme.blocked', more, { files: first })
    const [hooks, members] = failing as [object, object]
    const bad = await packRelease(
      'acme.blocked',
      '1.1.0',
      { ...more, ...hooks },
      { ...members, files: { ...first, ...added } },
    )
    const answer = await upgrade(admin, 'acme.blocked', bad)
    assert.deepEqual(refusalOf(answer), { ...undone, reason: 'plugin_upgrade_stuck' })
    const { operation_id: id } = answer.body['details'] as unknown as { operation_id: string }
    const { state, error } = dataOf(await admin.get(`/plugins/acme.blocked/operations/${id}`))
    assert.deepEqual([state, (error as Body)['reason']], ['failed', 'plugin_upgrade_stuck'])
  })

  it('of an install although the plugin is gone by then', async () => {
    const zip = await packSmall('acme.gone')
    const isEnd = ({ plugin, kind }: { plugin: string; kind: string }) => plugin === 'acme.gone' && kind === 'install'
    const remove = async () => {
      await releaseLock('acme.gone')
      dataOf(await admin.delete('/plugins/acme.gone?purge=true'))
    }
    const answer = await meanwhile(pluginsOperationEnded, isEnd, remove, () => upload(admin, zip))
    const { name, version, status } = dataOf(answer, 201)
    assert.deepEqual([name, version, status], ['acme.gone', '1.0.0', 'installed'])
  })

  /** Lets the lock of the operation run out, until whoever finds it has ended the operation. */
  const takeOver = async ({ plugin, operationId: id }: { plugin: string; operationId: string }) => {
    await until(async () => {
      await db('plugin_locks')
        .where({ plugin })
        .update({ expires_at: db.raw(`now() - interval '1 s'`) })
      return (await operations(plugin).where({ id, state: 'running' })).length === 0
    }, 30_000)
  }
  const isStep = (name: string, kind: string, step: string) => (at: { plugin: string; kind: string; step: string }) =>
    at.plugin === name && at.kind === kind && at.step === step

  it('when another host took it over and finished it', async () => {
    const path = '/admin/plugins/acme.taken'
    await installFirst(admin, 'acme.taken')
    const disable = () => admin.post(`${path}/disable`)
    const isIt = isStep('acme.taken', 'disable', 'converge')
    assert.equal(dataOf(await meanwhile(pluginsProgressed, isIt, takeOver, disable))['status'], 'installed')
    const isRepair = isStep('acme.taken', 'repair', 'converge')
    const repaired = dataOf(await meanwhile(pluginsProgressed, isRepair, takeOver, () => admin.post(`${path}/repair`)))
    const { findings } = repaired as unknown as { findings: { check: string; ok: boolean }[] }
    assert.ok(findings.some(({ check, ok }) => check === 'start' && ok))
  })

  it('when another host took it over and put it back', async () => {
    const path = '/admin/plugins/acme.putback'
    await installFirst(admin, 'acme.putback')
    dataOf(await admin.post(`${path}/disable`))
    const isIt = isStep('acme.putback', 'enable', 'commit')
    const answer = await meanwhile(pluginsProgressed, isIt, takeOver, () => admin.post(`${path}/enable`))
    assert.deepEqual(refusalOf(answer), { status: 503, code: 5030, reason: 'plugin_operation_interrupted' })
    assert.equal(dataOf(await admin.get(path))['status'], 'installed')
  })

  it('and past the patience of a caller names that operation, which may not have begun by then', async () => {
    const arrived = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const runner = {
      run: async (_request: unknown, work: (operation: { id: string }) => Promise<void>) => work({ id: 'this one' }),
    } as unknown as OperationRunner
    const answer = withinPatience(runner, 1, async ({ run }) => {
      await arrived.promise
      await run({ plugin: 'acme.slow', kind: 'upgrade', actor: null }, () => done.promise)
    })
    arrived.resolve()
    assert.deepEqual(await answer, { operationId: 'this one' })
    done.resolve()
  })

  it('because the watch over a new release survives a look at it that began before', async () => {
    const name = 'acme.looked'
    await installFirst(admin, name)
    dataOf(await upgrade(admin, name, await packRelease(name, '1.1.0')))
    let asked = 0
    for (let at = 0; at < Math.max(asked, 1); at++) {
      const next = await packRelease(name, `1.${at + 2}.0`)
      asked = 0
      const held = openHeld(platform.host.databaseUrl, async () => {
        if (asked++ === at) dataOf(await upgrade(admin, name, next))
      })
      await new HealthWatch({ db: held, log: silentLog } as never, new ReleaseCounts(), { plugins: new Map() }).look()
      await held.destroy()
      assert.equal((await watches(name)).length, 1, `nobody watches what came before question ${at + 1} of ${asked}`)
    }
    assert.ok(asked > 0)
  })
})

/** A database of whose questions each waits for what happens before it. */
function openHeld(url: string, before: () => Promise<void>): Knex {
  const held = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } })
  const client = held.client as { query(...given: unknown[]): Promise<unknown> }
  const query = client.query.bind(client)
  client.query = async (...given) => {
    await before()
    return query(...given)
  }
  return held
}
