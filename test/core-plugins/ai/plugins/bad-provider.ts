import { packSmall } from '../../../support/small-plugin.ts'

/** One that makes vectors. */
const vectors = {
  ...{ code: 'vectors', title: { default: 'Vectors' } },
  handlers: { request: 'request', chunk: 'chunk', embeddings: 'embeddings' },
}
/** A provider whose mappings misbehave as the model is called. */
const manifest = {
  ...{ capabilities: ['ai:provider'], reasons: { 'ai:provider': 'Tries the platform.' } },
  provides: {
    aiProviders: [
      { code: 'bad', title: { default: 'Bad' }, handlers: { request: 'request', chunk: 'chunk' } },
      vectors,
    ],
  },
}
const source = `{
  aiProviders: {
    request: ({ wish }) => {
      if (wish.body.model === 'up-throws') throw new Error('no')
      if (wish.body.model === 'up-leaves') return { path: '//elsewhere.test/' }
      if (wish.body.model === 'up-greedy') return { path: '/messages', headers: { 'x-key': '{{secret:api_key}}' }, body: {} }
      if (wish.kind === 'embeddings') return { path: '/embeddings', body: { ...wish.body, encoding_format: 'float' } }
      return { path: '/chat/completions', body: wish.body }
    },
    embeddings: ({ body }) => {
      const { data, usage } = JSON.parse(body)
      const vectors = data.map(({ embedding }) => embedding)
      return { vectors: data.length === 1 ? [] : vectors, inputTokens: usage.prompt_tokens }
    },
    chunk: ({ events, state }) => {
      if (events.some(({ data }) => data.includes('shapeless'))) return { deltas: [{ type: 'text' }] }
      const deltas = state ? [] : [{ type: 'text', text: 'Hi' }, { type: 'usage', inputTokens: 9e15, outputTokens: 9e15 }]
      return { deltas: [...deltas, { type: 'finish', reason: 'stop' }], state: true }
    },
  },
}`

/** Packs `acme.bad`, a provider whose mappings misbehave, with one beside it that makes vectors. */
export function packBadProvider(): Promise<Buffer> {
  return packSmall('acme.bad', manifest, source)
}
