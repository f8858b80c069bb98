// @both-back-ends
import assert from 'node:assert/strict'
import { textOf, uploaded } from '../../support/attachments.ts'
import { dataOf } from '../../support/platform.ts'
import { newUser } from '../agents/world.ts'
import { startWithVendor } from './runs-world.ts'
import { open, stream, streamOf, type Frame } from './world.ts'

const slow = { words: 60, pieceMs: 20 }
const isText = ({ event }: Frame): boolean => event === 'message.delta'

describe('A message that its sender sends again under its client_message_id', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  before(async () => (world = await startWithVendor()))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.lane.behave({}))

  const send = async (body: object, by = world.user) =>
    dataOf(await by.post(`/ai/agent-chat/${world.agent}/chat`, body))
  const runsOf = (answers: readonly Awaited<ReturnType<typeof send>>[]) =>
    new Set(answers.map(({ run_id: run }) => textOf(run))).size

  it('is answered by the run that is there, from its first event on, while it goes on and when it is over', async () => {
    const message = { message: 'go', client_message_id: 'c-1' }
    await world.lane.behave(slow)
    const reading = await open(world.user, streamOf(world.agent), message)
    const frames = await reading.until(isText)
    const again = await open(world.user, streamOf(world.agent), message)
    const [first, second] = await Promise.all([reading.until(), again.until()])
    assert.deepEqual(second, [...frames, ...first])
    assert.deepEqual((await stream(world.user, world.agent, message)).at(-1), first.at(-1))
    await world.lane.behave({})

    const conversation = textOf(frames[0]?.data['conversation_id'])
    const inside = { ...message, client_message_id: 'c-2', conversation_id: conversation }
    const [told, other] = await Promise.all([send(inside), send(inside)])
    assert.deepEqual(other, told)
    const { message_count: count } = dataOf(await world.user.get(`/ai/agent-chat/conversations/${conversation}`))
    assert.equal(Number(count), 4)
  })

  it('begins one conversation, however often at once', async () => {
    const beginning = { message: 'At once', client_message_id: 'c-3' }
    assert.equal(runsOf(await Promise.all(Array.from({ length: 5 }, () => send(beginning)))), 1)
  })

  it('is another one with other words or files, of another user, and without an id', async () => {
    const beginning = { message: 'See this', client_message_id: 'c-4' }
    const withFile = async (name: string) => {
      const file = await uploaded(world.user, name, Buffer.from(name))
      const text = { type: 'text', text: beginning.message }
      return { ...beginning, message: [text, { type: 'attachment', attachment_id: textOf(file['id']) }] }
    }
    const [one, two] = [await withFile('one.txt'), await withFile('two.txt')]
    const { api: colleague } = await newUser(world.owner, 'runs', 'colleague')
    const answers = [
      await send(beginning),
      await send({ ...beginning, message: 'See that' }),
      await send({ ...beginning, client_message_id: 'c-5' }),
      await send({ message: beginning.message }),
      await send(one),
      await send(two),
      await send(beginning, colleague),
    ]
    assert.equal(runsOf(answers), answers.length)
    assert.equal(runsOf([answers[4] ?? {}, await send(one)]), 1)
  })

  it('is answered anew where it failed', async () => {
    const message = { message: 'go', client_message_id: 'c-6' }
    await world.lane.behave({ trouble: { kind: 'cut', after: 3 }, words: 20 })
    const broken = await stream(world.user, world.agent, message)
    await world.lane.behave({})
    const whole = await stream(world.user, world.agent, message)
    assert.deepEqual([broken.at(-1)?.event, whole.at(-1)?.event], ['run.failed', 'run.completed'])
    assert.notEqual(broken[0]?.data['run_id'], whole[0]?.data['run_id'])
  })
})
