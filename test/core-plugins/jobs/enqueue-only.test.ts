// @both-back-ends
import assert from 'node:assert/strict'
import { processMetrics } from '#kernel'
import { commandPlugins } from '../../../core-plugins/command-plugins.ts'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { enqueueOnlyJobs } from '../../../core-plugins/jobs/enqueue-only.ts'
import { runningKernel } from '../../support/auth.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'
import { besides, sampleOf, startQueueHost } from './world.ts'

describe('the queue of a command line', () => {
  it('queues with its transaction, runs nothing itself, and leaves its jobs to a host that serves', async () => {
    await using world = await startQueueHost()
    const ran: unknown[] = []
    await using command = await startTestKernel({ plugins: [enqueueOnlyJobs], ...besides(world) })
    const queue = command.kernel.services.get(jobs)
    queue.register({
      kind: 'test.work',
      run: () => assert.fail('the command line ran a job'),
    })
    const { knex } = runningKernel({ test: command }).database
    const undone = knex.transaction(async (trx) => {
      await queue.enqueue(trx, 'test.work', 'undone')
      throw new Error('undone')
    })
    await assert.rejects(undone, { message: 'undone' })
    await knex.transaction((trx) => queue.enqueue(trx, 'test.work', 'queued'))
    assert.deepEqual(
      (await world.rows()).map(({ state, attempts }) => [state, attempts]),
      [['waiting', 0]],
    )
    world.run({ run: ({ payload }) => void ran.push(payload) })
    await until(() => ran.length > 0)
    assert.deepEqual(ran, ['queued'])
  })

  it('stands among the plugins of a command line, which have no worker', async () => {
    await using command = await startTestKernel({ plugins: commandPlugins })
    const { plugins } = command.kernel.registered()
    assert.deepEqual(
      ['jobs', 'mail', 'system', 'backup', 'plugins', 'first_run'].map((name) => plugins.includes(name)),
      [true, true, false, false, false, false],
    )
    const queue = command.kernel.services.get(jobs)
    const { knex } = runningKernel({ test: command }).database
    const id = await knex.transaction((trx) => queue.enqueue(trx, 'test.work', {}))
    assert.deepEqual(await queue.find(id), { id, state: 'waiting', percent: null, text: null, error: null })
  })

  it('is counted without the plugin that prints figures', async () => {
    await using world = await startQueueHost()
    const figures = world.host.kernel.services.get(processMetrics)
    world.run({ run: () => undefined })
    await world.enqueue({})
    await until(() => sampleOf(figures.collect(), 'stoa_job_runs_total', { kind: 'test.work', outcome: 'done' }) === 1)
  })
})
