import assert from 'node:assert/strict'
import { Judge } from '../../../../core-plugins/ai/guard/judge.ts'
import type { ActiveRule } from '../../../../core-plugins/ai/guard/types.ts'

const rule: ActiveRule = {
  ...{ name: 'acme.words/words', plugin: 'acme.words', code: 'words', mode: 'mask', onError: 'closed', timeoutMs: 1 },
  ...{ phases: new Set(['input'] as const), holdBackChars: 0, release: 'a' },
}
const mostAtOnce = 131_072

describe('A guardrail that is asked about long texts', () => {
  it('is shown them in pieces, and finds what stands across a cut where it is', async () => {
    const sizes: number[] = []
    const judge = new Judge(
      {
        judge({ texts }) {
          sizes.push(texts.reduce((sum, { text }) => sum + text.length, 0))
          const ranges = texts.flatMap(({ text }, index) =>
            [...text.matchAll(/secret/g)].map(({ index: start }) => ({ index, start, end: start + 6 })),
          )
          return Promise.resolve({ verdict: { verdict: 'mask', ranges }, state: null, cpuMs: 1 })
        },
      },
      { tenantId: 1, model: 'm', traceId: 't', signal: new AbortController().signal },
    )
    const long = `${'x'.repeat(mostAtOnce - 3)}secret${'y'.repeat(mostAtOnce)}secret`
    const texts = ['a secret', long, 'nothing'].map((text) => ({ role: 'user', text }))
    assert.deepEqual(await judge.texts(rule, 'input', texts), [
      [{ start: 2, end: 8 }],
      [
        { start: mostAtOnce - 3, end: mostAtOnce + 3 },
        { start: 2 * mostAtOnce + 3, end: 2 * mostAtOnce + 9 },
      ],
      [],
    ])
    assert.ok(Math.max(...sizes) <= mostAtOnce)
  })
})
