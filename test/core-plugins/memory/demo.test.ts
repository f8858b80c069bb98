import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import { dataOf } from '../../support/platform.ts'
import { makeAgent, startWithDemo, tenantWithUser } from '../agents/world.ts'
import { conversations, learnt, remembers, say, textsOf } from './world.ts'

describe('The demo model', () => {
  it('learns of users and shortens conversations, so that both can be tried without a key', async () => {
    await using platform = await startWithDemo()
    const { owner, user } = await tenantWithUser(platform, 'tries')
    const agent = await makeAgent(owner, { generate_titles: false, memory: remembers })
    const id = await say(user, agent, 'Hello. I prefer short answers! 我叫安娜。What is the time?')
    await learnt(user, id)
    assert.deepEqual(await textsOf(user), ['I prefer short answers!', '我叫安娜。'])
    for (let count = 0; count < 3; count++)
      await say(user, agent, `Question ${String(count)} on order 1009.`, { conversation_id: id })
    const snapshot = dataOf(await user.post(`${conversations}/${id}/compact`, { keep_last_turns: 1 }))
    assert.deepEqual([snapshot['method'], snapshot['summary']?.['goal']], ['summary', 'Hello.'])
    assert.match(textOf(snapshot['text']), /order 1009/)
  })
})
