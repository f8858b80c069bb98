import assert from 'node:assert/strict'
import { commitStepOf } from '../../../core-plugins/plugins/operations/step-lists.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installFirst, packRelease, upgrade } from './upgrades-world.ts'

const name = 'acme.planned'

describe('the step that commits', () => {
  it('is not known while an upgrade may still end with a question', () => {
    assert.equal(commitStepOf(['download', 'verify', 'load_test', 'ask', 'switch', 'converge']), null)
    assert.equal(commitStepOf(['download', 'verify', 'load_test', 'switch', 'converge']), 'switch')
    assert.equal(commitStepOf(['download']), null)
  })
})

describe('the plan of an operation', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  after(() => platform[Symbol.asyncDispose]())

  async function operations(): Promise<readonly Record<string, unknown>[]> {
    const { items } = dataOf(await admin.get(`/admin/plugins/${name}/operations`))
    return items as unknown as Record<string, unknown>[]
  }
  const shown = ({ kind, plan, commit_step: commit }: Record<string, unknown>) => [kind, plan, commit]

  it('has the steps that were taken, the one that commits, and who asked, by name', async () => {
    await installFirst(admin, name)
    const wider = { capabilities: ['storage'], reasons: { storage: 'Keeps.' } }
    const { consent } = dataOf(await upgrade(admin, name, await packRelease(name, '1.1.0', wider))) as { consent: Body }
    const { release_hash, diff_hash } = consent
    dataOf(await admin.post(`/plugins/${name}/consent`, { accept: true, release_hash, diff_hash }))
    dataOf(await admin.post(`/plugins/${name}/rollback`, {}))
    dataOf(await admin.delete(`/plugins/${name}?purge=true`))
    const all = (await operations()).toReversed()
    const removal = all.at(-1)
    assert.deepEqual(all.slice(0, -1).map(shown), [
      ['install', ['store', 'load_test', 'commit', 'converge', 'hook'], 'commit'],
      ['enable', ['load', 'hook', 'commit', 'converge'], 'commit'],
      ['upgrade', ['store', 'load_test', 'ask'], 'ask'],
      ['upgrade', ['load_test', 'backup', 'switch', 'converge', 'hook', 'prune'], 'switch'],
      ['rollback', ['load', 'commit', 'converge', 'objects'], 'commit'],
    ])
    assert.deepEqual([removal?.['kind'], removal?.['commit_step']], ['uninstall', 'stop_dispatch'])
    assert.equal((removal?.['plan'] as unknown[]).length, 14)
    const { user } = dataOf(await admin.get('/auth/me')) as { user: Body }
    for (const { actor, cancellable, progress, committed } of all)
      assert.deepEqual(
        [actor, cancellable, progress, committed],
        [{ id: user['id'], name: user['email'] }, false, null, true],
      )
  })

  it('has also what is to come, while it runs, and drops that where it fails', async () => {
    const { knex } = platform.host.kernel.database
    const other = 'acme.halfway'
    const lock = { plugin: other, holder: 'a test', expires_at: knex.raw(`now() + interval '1 hour'`), fencing: 0 }
    const id = crypto.randomUUID()
    const plan = JSON.stringify(['download', 'verify', 'store', 'load_test', 'commit', 'converge', 'hook'])
    const steps = JSON.stringify(['download', 'verify'].map((step) => ({ step, at: new Date().toISOString() })))
    // The lease first: what nobody holds is ended by whoever finds it.
    await knex('plugin_locks').insert({ ...lock, operation_id: id })
    await knex('plugin_operations').insert({
      id,
      plugin: other,
      kind: 'install',
      step: 'load_test',
      steps,
      plan,
      fencing: 0,
    })
    const read = async () => dataOf(await admin.get(`/admin/plugins/${other}/operations/${id}`))
    const { plan: running, commit_step: commit, actor } = await read()
    // A package that was stored already is left out.
    assert.deepEqual(
      [running, commit, actor],
      [['download', 'verify', 'load_test', 'commit', 'converge', 'hook'], 'commit', null],
    )
    await knex('plugin_operations').where({ id }).update({ state: 'failed', finished_at: knex.fn.now() })
    assert.deepEqual((await read())['plan'], ['download', 'verify', 'load_test'])
    await knex('plugin_locks').where({ plugin: other }).delete()
  })
})
