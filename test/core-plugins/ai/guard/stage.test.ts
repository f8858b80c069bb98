import assert from 'node:assert/strict'
import { Judge } from '../../../../core-plugins/ai/guard/judge.ts'
import { saidIn } from '../../../../core-plugins/ai/guard/said-text.ts'
import { Stage } from '../../../../core-plugins/ai/guard/stage.ts'
import type { ActiveRule } from '../../../../core-plugins/ai/guard/types.ts'
import type { NeutralEvent } from '../../../../core-plugins/ai/contract-neutral.ts'
import type { GuardrailQuestion } from '../../../../core-plugins/plugin-offers/contract.ts'

const rule: ActiveRule = {
  ...{ name: 'acme.words/words', plugin: 'acme.words', code: 'words', mode: 'mask', onError: 'closed', timeoutMs: 1 },
  ...{ phases: new Set(['output_stream'] as const), holdBackChars: 8, release: 'a' },
}

/** Finds the word `secret`, and remembers how often it was asked. */
function judge(asked: GuardrailQuestion[] = []): Judge {
  const call = { tenantId: 1, model: 'm', traceId: 't', signal: new AbortController().signal }
  return new Judge(
    {
      judge(question) {
        asked.push(question)
        const text = question.texts[0]?.text ?? ''
        const ranges = [...text.matchAll(/secret/g)].map(({ index }) => ({ index: 0, start: index, end: index + 6 }))
        return Promise.resolve({ verdict: { verdict: 'mask', ranges }, state: asked.length, cpuMs: 1 })
      },
    },
    call,
  )
}

async function run(events: readonly NeutralEvent[], asked?: GuardrailQuestion[]): Promise<readonly NeutralEvent[]> {
  const stage = new Stage(rule, judge(asked))
  const out: NeutralEvent[] = []
  for (const event of events) out.push(...(await stage.push([event], false)))
  return [...out, ...(await stage.push([], true))]
}

describe('A guardrail in the way of a stream', () => {
  const text = 'a secret is no secretsecret, or so they say'

  it('sees what it looks for in one piece, however the stream is cut, and everything else comes through in its order', async () => {
    for (let length = 1; length <= text.length; length++) {
      const pieces: NeutralEvent[] = []
      for (let at = 0; at < text.length; at += length) pieces.push({ type: 'text', text: text.slice(at, at + length) })
      const out = await run([{ type: 'start', id: 'a', model: 'm' }, ...pieces, { type: 'finish', reason: 'stop' }])
      assert.deepEqual([out[0]?.type, out.at(-1)?.type], ['start', 'finish'])
      // Neighbours may be masked as one.
      assert.match(out.map(saidIn).join(''), /^a \*{3} is no (\*{3}){1,2}, or so they say$/, String(length))
    }
  })

  it('hands back what the last answer left, and asks nothing while all there is is held back', async () => {
    const asked: GuardrailQuestion[] = []
    await run(
      [...'a secret word'].map((letter) => ({ type: 'text', text: letter })),
      asked,
    )
    assert.deepEqual(asked.map(({ texts, stream }) => [texts[0]?.text.length, stream?.state, stream?.final]).at(0), [
      9,
      null,
      false,
    ])
    assert.deepEqual([asked[1]?.stream?.state, asked.at(-1)?.stream?.final], [1, true])
  })

  it('masks thoughts and arguments too, and drops the seal over a thought that is not what it was', async () => {
    const out = await run([
      { type: 'reasoning', vendor: 'v', text: 'the secret', signature: 's', done: true },
      { type: 'tool_call', index: 0, id: 'c', name: 'tell', arguments: '{"it":"secret"}' },
    ])
    assert.equal(out.map(saidIn).join(''), 'the ***{"it":"***"}')
    assert.ok(out.every((event) => !('signature' in event)))
    assert.deepEqual(
      out.flatMap((event) => (event.type === 'tool_call' && event.name !== undefined ? [event.name] : [])),
      ['tell'],
    )
  })

  it('holds a long answer back at a cost that grows with its length', async () => {
    const whole: ActiveRule = { ...rule, phases: new Set(['output'] as const) }
    const stage = new Stage(whole, judge())
    const [pieces, perPush] = [60_000, 20]
    const begun = process.cpuUsage()
    for (let at = 0; at < pieces; at += perPush) {
      const piece: NeutralEvent[] = Array.from({ length: perPush }, () => ({ type: 'text', text: 'a ' }))
      assert.deepEqual(await stage.push(piece, false), [])
    }
    assert.equal((await stage.push([], true)).length, pieces)
    // Copying what is held for each piece took almost a minute.
    assert.ok(process.cpuUsage(begun).user < 15e6)
  })
})
