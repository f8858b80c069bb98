import { deepEqual, match } from 'node:assert/strict'
import { loadPlugin, type TestPlugin } from '@stoa/plugin-sdk/testing'

describe('the sum', () => {
  let plugin: TestPlugin
  before(async () => {
    plugin = await loadPlugin('.')
  })
  after(() => plugin[Symbol.asyncDispose]())

  it('asks, and knows the answer', async () => {
    const { data } = await plugin.captcha('challenge', { endpoint: 'user', action: 'login', difficulty: 'easy' })
    const { challenge, state } = data as { challenge: { question: string }; state: { sum: number } }
    match(challenge.question, /^\d+ \+ \d+$/)
    const right = await plugin.captcha('verify', { solution: String(state.sum), state })
    const wrong = await plugin.captcha('verify', { solution: String(state.sum + 1), state })
    deepEqual([right.data, wrong.data], [{ valid: true }, { valid: false }])
  })
})
