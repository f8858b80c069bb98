import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { AnswerCollector } from '../../../../core-plugins/ai/wire/answer.ts'
import { SseParser } from '../../../../core-plugins/ai/wire/sse.ts'
import { vendorOf } from '../../../../core-plugins/ai/wire/vendors/vendor-of.ts'

const folder = path.join(import.meta.dirname, '../../../fixtures/wire')

function read(vendor: string): unknown {
  const reader = vendorOf(vendor)?.reader()
  const collector = new AnswerCollector()
  for (const event of new SseParser().push(readFileSync(path.join(folder, `${vendor}-stream.txt`)))) {
    for (const step of reader?.push(event) ?? []) collector.push(step)
  }
  const { parts, finish, usage } = collector.answer
  return { parts, finish, usage, end: reader?.end() }
}

const text = { type: 'text', text: "Okay, let's check the weather" }
const call = { type: 'tool_call', name: 'get_weather' }
const told = { cachedInputTokens: 100, cacheWriteTokens: 0, outputTokens: 89 }

describe('streams as vendors publish them', () => {
  it('are read of Anthropic', () => {
    const own = { ...call, id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', arguments: '{"location": "San Francisco"}' }
    const usage = { ...told, inputTokens: 572, reasoningTokens: 0 }
    assert.deepEqual(read('anthropic'), { parts: [text, own], finish: 'tool_calls', usage, end: 'complete' })
  })

  it('are read of Gemini, with the signature of the call', () => {
    const own = { ...call, id: 'c1', arguments: '{"location":"San Francisco"}', signature: 'c2ln' }
    const usage = { ...told, inputTokens: 472, reasoningTokens: 9 }
    assert.deepEqual(read('gemini'), { parts: [text, own], finish: 'tool_calls', usage, end: 'complete' })
  })
})
