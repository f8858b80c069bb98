// @both-back-ends
import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { dataOf, refusalOf, startPlatform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { clusterSecrets } from '../plugins/cluster-world.ts'
import { newUser } from '../agents/world.ts'
import { startWithVendor } from './runs-world.ts'
import { open, streamOf, stream, textIn, type Frame } from './world.ts'

const slow = { words: 60, pieceMs: 20 }
const isText = ({ event }: Frame): boolean => event === 'message.delta'

describe('Runs of AI agents', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  before(async () => (world = await startWithVendor(clusterSecrets)))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.lane.behave({}))

  const eventsOf = (runId: string): string => `/ai/agent-chat/runs/${runId}/events`
  const cancel = (runId: string) => world.user.post(`/ai/agent-chat/runs/${runId}/cancel`)
  /** Begins an answer that takes a while, and reads it to its first words. */
  async function begin(body: object = {}) {
    await world.lane.behave(slow)
    const reading = await open(world.user, streamOf(world.agent), { message: 'go', ...body })
    const frames = await reading.until(isText)
    const started = frames[0]?.data
    return { reading, frames, runId: textOf(started?.['run_id']), conversation: textOf(started?.['conversation_id']) }
  }
  const detailOf = async (id: string) => dataOf(await world.user.get(`/ai/agent-chat/conversations/${id}`))
  const noHolds = () =>
    until(async () => {
      const rows: unknown[] = await world.db()('ai_holds').queryContext({ tenant: 'all' })
      return rows.length === 0
    })

  it('are one at a time in a conversation, and end when their user says so: with what was said, at the vendor too', async () => {
    const { reading, frames, runId, conversation } = await begin()
    const busy = await world.user.post(`/ai/agent-chat/${world.agent}/chat`, {
      message: 'x',
      conversation_id: conversation,
    })
    assert.deepEqual(refusalOf(busy), { status: 409, code: 4094, reason: 'conversation_busy' })
    assert.equal(busy.body['details']?.['run_id'], runId)
    assert.equal((await detailOf(conversation))['active_run_id'], runId)
    assert.equal(dataOf(await cancel(runId))['status'], 'cancelling')
    const rest = await reading.until()
    const last = rest.at(-1)
    assert.deepEqual(
      [last?.event, last?.data['finish_reason'], last?.data['reason'], last?.data['partial']],
      ['run.cancelled', 'cancelled', 'cancelled', true],
    )
    await world.lane.seenUntil((all) => all.at(-1)?.hungUpAt !== undefined)
    assert.equal(dataOf(await cancel(runId))['status'], 'cancelled')
    const detail = await detailOf(conversation)
    const answer = (detail['messages']?.['items'] as unknown as readonly Record<string, unknown>[])[1]
    assert.deepEqual([detail['active_run_id'], answer?.['content']], [null, textIn([...frames, ...rest])])
    await noHolds()
  })

  it('tell what was taken however they end, as the ledger has it', async () => {
    const cancelled = await begin()
    dataOf(await cancel(cancelled.runId))
    await cancelled.reading.until()
    await world.lane.behave({ trouble: { kind: 'cut', after: 3 }, words: 20 })
    const broken = textOf((await stream(world.user, world.agent, { message: 'go' }))[0]?.data['run_id'])
    for (const [runId, last] of [
      [cancelled.runId, 'run.cancelled'],
      [broken, 'run.failed'],
    ] as const) {
      const told = (await (await open(world.user, eventsOf(runId))).until()).slice(-2)
      assert.deepEqual(
        told.map(({ event }) => event),
        ['usage', last],
      )
      const usage = told[1]?.data['usage'] as unknown as Record<string, number | string>
      assert.deepEqual([usage['source'], Number(usage['output_tokens']) > 0], ['counted', true])
      const conversation = textOf((await (await open(world.user, eventsOf(runId))).until())[0]?.data['conversation_id'])
      const items = (await detailOf(conversation))['messages']?.['items'] as unknown as readonly Record<
        string,
        unknown
      >[]
      assert.deepEqual(items[1]?.['usage'], usage)
      const query = '/admin/ai/usage?purpose=chat'
      const own = async () => {
        const { items: all } = dataOf(await world.owner.get(query)) as unknown as { items: Record<string, unknown>[] }
        return all.filter(({ conversation_id: of }) => of === conversation)
      }
      await until(async () => (await own()).length > 0)
      const rows = await own()
      assert.deepEqual(
        rows.map((row) => [row['input_tokens'], row['output_tokens'], Number(row['cost'])]),
        [[usage['input_tokens'], usage['output_tokens'], Number(usage['cost'])]],
      )
    }
    await world.lane.behave({ trouble: { kind: 'status', status: 400 } })
    const refused = (await stream(world.user, world.agent, { message: 'go' })).at(-1)
    assert.deepEqual([refused?.event, refused?.data['usage']], ['run.failed', null])
  })

  it('that fail end in band with one terminal event, told with what was said before, and the next message goes on', async () => {
    for (const [trouble, reason] of [
      [{ kind: 'cut', after: 3 }, 'upstream_stream_interrupted'],
      [{ kind: 'end', after: 3 }, 'upstream_stream_interrupted'],
      [{ kind: 'status', status: 400 }, 'request_refused'],
    ] as const) {
      await world.lane.behave({ trouble, words: 20 })
      const frames = await stream(world.user, world.agent, { message: 'go' })
      const last = frames.at(-1)
      assert.equal(frames.filter(({ event }) => /^run\.(completed|cancelled|failed)$/.test(event ?? '')).length, 1)
      assert.deepEqual(
        [last?.event, last?.data['error']?.['reason'], last?.data['partial']],
        ['run.failed', reason, textIn(frames) !== ''],
      )
      await world.lane.behave({})
      const next = { message: 'again', conversation_id: frames[0]?.data['conversation_id'] }
      assert.equal((await stream(world.user, world.agent, next)).at(-1)?.event, 'run.completed')
    }
    await world.lane.behave({ trouble: { kind: 'status', status: 400 } })
    const plain = await world.user.post(`/ai/agent-chat/${world.agent}/chat`, { message: 'go' })
    assert.deepEqual([plain.status, plain.body['reason']], [400, 'request_refused'])
    await noHolds()
  })

  it('are read again from any event on, without one lost or told twice, and by nobody else', async () => {
    const { reading, frames, runId } = await begin()
    reading.leave()
    const again = await open(world.user, eventsOf(runId), undefined, frames.at(-1)?.id)
    const middle = await again.until(isText)
    again.leave()
    const rest = await (await open(world.user, eventsOf(runId), undefined, middle.at(-1)?.id)).until()
    const all = [...frames, ...middle, ...rest]
    assert.deepEqual(
      all.map(({ data }) => Number(data['seq'])),
      all.map((_, at) => at),
    )
    assert.equal(all.at(-1)?.event, 'run.completed')
    const whole = await (await open(world.user, eventsOf(runId))).until()
    assert.deepEqual(whole, all)
    const other = await newUser(world.owner, 'runs', 'other')
    assert.equal((await other.api.get(eventsOf(runId))).status, 404)
    assert.equal((await other.api.post(`/ai/agent-chat/runs/${runId}/cancel`)).status, 404)
    await world.db()('ai_runs').queryContext({ tenant: 'all' }).where({ id: runId }).update({ pruned: true })
    const gone = await world.user.get(eventsOf(runId))
    assert.deepEqual(refusalOf(gone), { status: 410, code: 4100, reason: 'run_events_gone' })
    assert.equal(gone.body['details']?.['message']?.['content'], textIn(all))
  })

  it('end a while after nobody reads them, unless they are to go on', async () => {
    const [leaving, staying] = [await begin(), await begin({ on_disconnect: 'continue' })]
    await world.lane.behave({})
    const statusOf = async (runId: string) =>
      (await world.db()('ai_runs').queryContext({ tenant: 'all' }).where({ id: runId }).first<{ status: string }>())
        .status
    for (const { reading } of [leaving, staying]) reading.leave()
    for (const { runId } of [staying, leaving]) {
      await until(async () => (await statusOf(runId)) !== 'running', 30_000)
      assert.equal(await statusOf(runId), 'completed')
    }
    await world.lane.behave({ words: 2_000, pieceMs: 20 })
    const long = await open(world.user, streamOf(world.agent), { message: 'go' })
    const runId = textOf((await long.until(isText))[0]?.data['run_id'])
    long.leave()
    await until(async () => (await statusOf(runId)) === 'cancelled', 30_000)
    const last = (await (await open(world.user, eventsOf(runId))).until()).at(-1)
    assert.deepEqual([last?.event, last?.data['reason']], ['run.cancelled', 'disconnected'])
    await noHolds()
  })

  it('of a host that died are ended by another, with what had been written down', async () => {
    const frames = await stream(world.user, world.agent, { message: 'go' })
    const runId = textOf(frames[0]?.data['run_id'])
    const conversation = textOf(frames[0]?.data['conversation_id'])
    // As the host would have left it that was killed before the end.
    const table = (name: string) => world.db()(name).queryContext({ tenant: 'all' })
    const dead = { status: 'running', ended_at: null, beat_at: new Date(Date.now() - 60_000) }
    const took = frames.at(-1)?.data['usage'] ?? assert.fail('it told what it took')
    // It is settled after the answer.
    await until(async () => (await table('ai_usage').where({ conversation_id: conversation })).length > 0)
    await table('ai_run_events')
      .where({ run_id: runId })
      .whereIn('kind', ['run.completed', 'message.completed', 'usage'])
      .delete()
    await table('ai_messages').where({ id: frames[0]?.data['message_id'] }).delete()
    await table('ai_conversations').where({ id: conversation }).update({ active_run_id: runId })
    await table('ai_runs').where({ id: runId }).update(dead)
    const rest = await (await open(world.user, eventsOf(runId), undefined, frames.at(-1)?.id)).until()
    assert.deepEqual(
      rest.map(({ event, data }) => [event, data['error']?.['reason'], data['partial']]),
      [
        ['usage', undefined, undefined],
        ['run.failed', 'run_interrupted', true],
      ],
    )
    // What the ledger has of it.
    assert.deepEqual(rest.at(-1)?.data['usage'], took)
    const detail = await detailOf(conversation)
    const items = detail['messages']?.['items'] as unknown as readonly Record<string, unknown>[]
    assert.deepEqual([detail['active_run_id'], items.at(-1)?.['content']], [null, textIn(frames)])
    assert.deepEqual(items.at(-1)?.['usage'], took)
  })

  it('end with their conversation', async () => {
    const { reading, conversation } = await begin()
    dataOf(await world.user.delete(`/ai/agent-chat/conversations/${conversation}`))
    assert.equal((await reading.until()).at(-1)?.event, 'run.cancelled')
  })

  itOnRedis('are read and ended on another host', async () => {
    const { databaseUrl, namespace } = world.platform.host
    await using second = await startPlatform({ env: world.env, databaseUrl, namespace })
    const there = world.user.at(second.host.url)
    const { reading, frames, runId } = await begin()
    reading.leave()
    const rest = await (await open(there, eventsOf(runId), undefined, frames.at(-1)?.id)).until()
    const all = [...frames, ...rest]
    assert.deepEqual(
      all.map(({ data }) => Number(data['seq'])),
      all.map((_, at) => at),
    )
    assert.equal(all.at(-1)?.event, 'run.completed')
    await world.lane.behave({ words: 2_000, pieceMs: 20 })
    const long = await open(world.user, streamOf(world.agent), { message: 'go' })
    const longId = textOf((await long.until(isText))[0]?.data['run_id'])
    dataOf(await there.post(`/ai/agent-chat/runs/${longId}/cancel`))
    assert.equal((await long.until()).at(-1)?.event, 'run.cancelled')
  })

  itOnRedis('of a host that stops are ended by it', async () => {
    const { databaseUrl, namespace } = world.platform.host
    const second = await startPlatform({ env: world.env, databaseUrl, namespace })
    await world.lane.behave({ words: 2_000, pieceMs: 20 })
    const reading = await open(world.user.at(second.host.url), streamOf(world.agent), { message: 'go' })
    const frames = await reading.until(isText)
    await second[Symbol.asyncDispose]()
    const runId = textOf(frames[0]?.data['run_id'])
    const last = (await (await open(world.user, eventsOf(runId))).until()).at(-1)
    assert.deepEqual([last?.event, last?.data['error']?.['reason']], ['run.failed', 'run_interrupted'])
  })
})
