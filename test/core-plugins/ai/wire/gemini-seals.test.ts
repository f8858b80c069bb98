import assert from 'node:assert/strict'
import type { Dialect } from '../../../../core-plugins/ai/wire/dialect.ts'
import type { NeutralAnswer } from '../../../../core-plugins/ai/wire/neutral.ts'
import { dialects, recordedVendor } from './recorded.ts'

const gemini = recordedVendor('gemini')
const signature = 'EjQKMgHR7YpvcQ'
const body = (parts: readonly object[]): string =>
  JSON.stringify({
    ...{ responseId: 'Zq1', modelVersion: 'gemini-3-pro-preview' },
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  })

/** The next request of a client that gives back what it was told, as the dialect has it. */
function nextOf({ name }: Dialect, said: string): object {
  const told = JSON.parse(said) as Readonly<Record<string, unknown>>
  const more = 'And then?'
  if (name === 'messages') {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: told['content'] },
      { role: 'user', content: more },
    ]
    return { model: 'm', max_tokens: 9, messages }
  }
  if (name === 'responses') {
    const output = told['output'] as readonly object[]
    return { model: 'm', input: [{ role: 'user', content: 'Hi' }, ...output, { role: 'user', content: more }] }
  }
  const [choice] = told['choices'] as readonly { readonly message: object }[]
  return { model: 'm', messages: [{ role: 'user', content: 'Hi' }, choice?.message, { role: 'user', content: more }] }
}

describe('Signatures of Gemini’s texts', () => {
  const shapes = {
    'with its text': [{ text: 'Good morning.', thoughtSignature: signature }],
    'after its text': [{ text: 'Good morning.' }, { text: '', thoughtSignature: signature }],
    'after a thought': [
      { text: 'A greeting', thought: true },
      { text: 'Good morning.', thoughtSignature: signature },
    ],
  }
  for (const [where, parts] of Object.entries(shapes)) {
    for (const dialect of dialects) {
      it(`that come ${where} go back at it through ${dialect.name}`, () => {
        const answer: NeutralAnswer = gemini.readAnswer(body(parts))
        assert.equal(answer.parts.find(({ type }) => type === 'text')?.type, 'text')
        const first = dialect.read({ model: 'm', ...askOf(dialect) })
        const said = dialect.answer(answer, { id: dialect.newId(), created: 1, model: 'm', request: first })
        const request = dialect.read(nextOf(dialect, said))
        const call = gemini.chat(request, { upstreamModel: 'up', secrets: {}, maxOutputTokens: 9, capabilities: {} })
        const { contents } = JSON.parse(call.body ?? '') as { contents: { role: string; parts: object[] }[] }
        const back = contents.find(({ role }) => role === 'model')?.parts ?? []
        assert.deepEqual(
          back.filter((part) => !('thought' in part)),
          [{ text: 'Good morning.', thoughtSignature: signature }],
        )
      })
    }
  }
})

function askOf({ name }: Dialect): object {
  if (name === 'responses') return { input: 'Hi' }
  return { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
}
