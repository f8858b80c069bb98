import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { createUser, dataOf, refusalOf, type Platform } from '../../support/platform.ts'
import { makeAgent, startWithDemo, tenantWithUser } from '../agents/world.ts'
import { ask } from './world.ts'

const conversations = '/ai/agent-chat/conversations'
/** What each path is asked with, where it takes a body. */
const bodies: Readonly<Record<string, object>> = {
  'post /ai/agent-chat/{agent_id}/chat': { message: 'x' },
  'post /ai/agent-chat/{agent_id}/chat/stream': { message: 'x' },
  'post /ai/agent-chat/route': { message: 'x' },
  [`patch ${conversations}/{conversation_id}`]: { title: 'x' },
  [`post ${conversations}/{conversation_id}/compact`]: {},
  [`put ${conversations}/{conversation_id}/messages/{message_id}/feedback`]: { rating: 'up' },
}

describe('Agents and chats', () => {
  let platform: Platform
  let owner: Api
  let user: Api
  let ids: Readonly<Record<string, unknown>>
  before(async () => {
    platform = await startWithDemo()
    ;({ owner, user } = await tenantWithUser(platform, 'switch'))
    const agent = await makeAgent(owner, { generate_titles: false })
    const run = await ask(user, agent, { message: 'one' })
    ids = {
      ...{ agent_id: agent, run_id: run['run_id'], conversation_id: run['conversation_id'] },
      message_id: run['message']?.['id'],
    }
  })
  after(() => platform[Symbol.asyncDispose]())

  /** Asks every path of agents and chats that there is; those that delete last. */
  async function askAll(by: Api): Promise<readonly (readonly [string, ReturnType<typeof refusalOf>])[]> {
    const { paths } = (await platform.host.api.get('/openapi.json')).body as unknown as { paths: Body }
    const calls = Object.entries(paths as unknown as Record<string, object>)
      .filter(([path]) => /^\/ai\/(agents|agent-chat)\b/.test(path))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method, path] as const))
      .sort(([a], [b]) => Number(a === 'delete') - Number(b === 'delete'))
    assert.ok(calls.length >= 19)
    const answers: (readonly [string, ReturnType<typeof refusalOf>])[] = []
    for (const [method, path] of calls) {
      const at = path.replace(/\{(\w+)\}/g, (_, name: string) => textOf(ids[name]))
      const body = bodies[`${method} ${path}`]
      const answer = await by.call(method.toUpperCase(), at, body && { body })
      answers.push([`${method} ${path}`, refusalOf(answer)])
    }
    return answers
  }

  it('answer nobody who lacks the permission', async () => {
    const nobody = await createUser(owner, 'switch', [])
    const answers = await askAll(nobody)
    assert.deepEqual(
      answers.map(([path, { status, code }]) => [path, status, code]),
      answers.map(([path]) => [path, 403, 4031]),
    )
  })

  it('answer nobody while AI is switched off, and go on as they were afterwards', async () => {
    dataOf(await owner.put('/tenant/configs/groups/tenant_feature', { ai_access: false }))
    const answers = await askAll(user)
    assert.deepEqual(
      answers,
      answers.map(([path]) => [path, { status: 403, code: 4036, reason: 'ai_access_disabled' }]),
    )
    dataOf(await owner.put('/tenant/configs/groups/tenant_feature', { ai_access: true }))
    const detail = dataOf(await user.get(`${conversations}/${textOf(ids['conversation_id'])}`))
    assert.equal(detail['message_count'], 2)
  })
})
