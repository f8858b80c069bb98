import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { textOf } from '../../../support/attachments.ts'
import { dataOf, startPlatform } from '../../../support/platform.ts'

describe('the surfaces of a fresh installation', () => {
  it('answer the holder of a key with the demo, and nobody else', async () => {
    await using platform = await startPlatform({ env: { STOA_DEMO: '1' } })
    const { admin, host } = platform
    const made = dataOf(await admin.post('/admin/ai/api-keys', { name: 'mine' }), 201)
    const openai = new OpenAI({ apiKey: textOf(made['key']), baseURL: `${host.url}/v1`, maxRetries: 0 })
    assert.ok((await openai.models.list()).data.some(({ id }) => id === 'demo'))
    const answer = await openai.chat.completions.create({
      model: 'demo',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    assert.match(answer.choices[0]?.message.content ?? '', /demo.*Hello/)
    const stranger = new OpenAI({ apiKey: 'sk-aip-none', baseURL: `${host.url}/v1`, maxRetries: 0 })
    await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError)
  })
})
