import assert from 'node:assert/strict'
import { startFakeUpstream, type FakeUpstream, type Lane } from '../../../support/fake-upstream/start.ts'

const request = { model: 'fake-large', messages: [{ role: 'user', content: 'Hello there' }], stream: true }

function ask(lane: Lane, signal?: AbortSignal): Promise<Response> {
  return fetch(`${lane.v1}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(request),
    ...(signal && { signal }),
  })
}

describe('the vendor of the tests', () => {
  let upstream: FakeUpstream
  before(async () => (upstream = await startFakeUpstream()))
  after(() => upstream[Symbol.asyncDispose]())

  it('answers in OpenAI’s words, in Anthropic’s and in Gemini’s', async () => {
    const lane = upstream.lane('words')
    assert.match(await (await ask(lane)).text(), /"content":"echo: ".*"content":"there".*\[DONE\]\n\n$/s)
    const messages = await fetch(`${lane.v1}/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...request, max_tokens: 2 }),
    })
    assert.match(await messages.text(), /message_start.*text_delta.*"stop_reason":"max_tokens".*message_stop/s)
    const gemini = await fetch(`${lane.v1beta}/models/fake-pro:generateContent`, {
      method: 'POST',
      body: JSON.stringify({ contents: [{ parts: [{ text: 'Hello' }] }] }),
    })
    assert.match(await gemini.text(), /"text":"Hello".*"finishReason":"STOP"/)
  })

  it('fails as it is told, so often as it is told', async () => {
    const lane = upstream.lane('faults')
    await lane.behave({ trouble: { kind: 'status', status: 429, retryAfter: '7' }, times: 1 })
    const refused = await ask(lane)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '7'])
    assert.equal((await ask(lane)).status, 200)
    await lane.behave({ trouble: { kind: 'cut', after: 1 } })
    await assert.rejects((await ask(lane)).text())
    await lane.behave({ trouble: { kind: 'end', after: 1 } })
    assert.doesNotMatch(await (await ask(lane)).text(), /DONE/)
  })

  it('remembers what it was asked, and who hung up', async () => {
    const lane = upstream.lane('hang-ups')
    await lane.behave({ trouble: { kind: 'stall', after: 1 } })
    const gone = new AbortController()
    await ask(lane, gone.signal)
    gone.abort()
    const [seen] = await lane.seenUntil(([first]) => first?.hungUpAt !== undefined)
    assert.deepEqual(seen?.body, request)
  })
})
