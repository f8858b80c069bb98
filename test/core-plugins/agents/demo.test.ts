import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { corePlugins } from '../../../core-plugins/index.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'
import { dataOf } from '../../support/platform.ts'
import { ask } from '../chat/world.ts'
import { listOf } from './world.ts'

describe('a first start', () => {
  it('gives the demo tenant agents that answer at once', async () => {
    await using host = await startTestKernel({ plugins: corePlugins, env: { STOA_DEMO: '1' } })
    const file = readFileSync(path.join(host.dataDir, 'first-run.json'), 'utf8')
    const { demo } = JSON.parse(file) as { demo: object }
    const owner = host.api.as(dataOf(await host.api.post('/auth/login/json', demo))['access_token'])
    assert.deepEqual(listOf(dataOf(await owner.get('/ai/agents')), 'code'), ['support', 'tracker', 'writer'])
    const { message } = await ask(owner, 'support', { message: 'Where is my order?' })
    assert.match(JSON.stringify(message?.['content']), /You said: Where is my order\?/)
    const cited = async (question: string) => {
      const { message: answer } = await ask(owner, 'support', { message: question })
      return (answer?.['citations'] as unknown as { title: string }[]).map(({ title }) => title)
    }
    // The plugin is installed as a job, so that no start waits for it.
    await until(async () => {
      const { message: answer } = await ask(owner, 'tracker', { message: 'order_status 1009' })
      const [call] = answer?.['tool_calls'] as unknown as readonly { status: string; plugin: string }[]
      if (!call) return false
      assert.deepEqual([call.status, call.plugin], ['ok', 'acme.shop-orders'])
      assert.match(JSON.stringify(answer?.['content']), /The tool answered: Order 1009 left the warehouse/)
      return true
    }, 60_000)
    // Its documents are indexed as jobs.
    await until(async () => (await cited('退款要多久？')).includes('订单与退款'), 60_000)
    await until(async () => (await cited('How do refunds work?')).includes('Returns and refunds'), 60_000)
  })
})
