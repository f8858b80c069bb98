import type { NeutralRequest } from '../wire/neutral.ts'

/** Enough for a model that thinks before it says a word. */
export const testTokens = 512

/** The smallest chat that shows whether a model answers. */
export function chatWish(model: string, stream: boolean): NeutralRequest {
  const parts = [{ type: 'text' as const, text: 'Answer with the one word: ready' }]
  const messages = [{ role: 'user' as const, parts }]
  return { model, messages, maxOutputTokens: testTokens, stream, includeUsage: stream, extra: {} }
}

/** One that is answered by a call of a tool. */
export function toolWish(model: string): NeutralRequest {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const tool = { name: 'get_weather', description: 'The weather of a city', schema }
  const parts = [{ type: 'text' as const, text: 'Which weather does Berlin have? Use the tool.' }]
  return {
    ...chatWish(model, false),
    messages: [{ role: 'user', parts }],
    ...{ tools: [tool], toolChoice: { name: tool.name } },
  }
}
