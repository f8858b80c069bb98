import assert from 'node:assert/strict'
import { definePlugin } from '#kernel'
import { pluginsProgressed } from '../../../core-plugins/plugins/contract.ts'
import { refusalOf, startPlatform } from '../../support/platform.ts'
import { described } from '../../support/probe.ts'
import { until } from '../../support/until.ts'
import { installFirst } from './upgrades-world.ts'
import { disableWithUsers } from '../../support/with-users.ts'

interface Moment {
  readonly plugin: string
  readonly kind: string
  readonly operationId: string
  readonly step: string
}

describe('a host that stops while another one ends an operation', () => {
  it('answers with the operation to look up, and not with its own stop', async () => {
    const name = 'acme.stopping'
    await using platform = await startPlatform()
    const { admin, host } = platform
    const { knex } = host.kernel.database
    await installFirst(admin, name)
    const toldOf = Promise.withResolvers<string>()
    // Another host has taken it over: it holds the lock, and is not done.
    const takeOver = async (at: Moment): Promise<void> => {
      if (at.plugin !== name || at.kind !== 'disable' || at.step !== 'converge') return
      const fencing = { fencing: knex.raw(`nextval('plugin_fencing')`) }
      await knex('plugin_operations').where({ id: at.operationId }).update(fencing)
      const expires = { expires_at: knex.raw(`now() + interval '1 hour'`) }
      await knex('plugin_locks')
        .where({ plugin: name })
        .update({ ...fencing, ...expires, holder: 'another' })
      toldOf.resolve(at.operationId)
    }
    const setup = (scope: { on(event: typeof pluginsProgressed, listener: typeof takeOver): void }) =>
      scope.on(pluginsProgressed, takeOver)
    await host.kernel.enable(definePlugin({ ...described('listener'), setup }))
    const answered = admin.post(`/admin/plugins/${name}/disable`)
    const id = await toldOf.promise
    // Its own attempt is over when it looks at what the other one makes of it.
    const looks = async () =>
      (
        await knex('pg_stat_activity').whereRaw(
          `datname = current_database() and query like ? and pid <> pg_backend_pid()`,
          ['%"plugin_operations".%'],
        )
      ).length > 0
    await until(looks)
    await disableWithUsers(host.kernel, 'plugins')
    const answer = await answered
    assert.deepEqual(refusalOf(answer), { status: 503, code: 5030, reason: 'plugin_operation_left' })
    assert.deepEqual(answer.body['details'], { operation_id: id })
  })
})
