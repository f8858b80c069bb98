import { defineRoute, raw, type Route, type RouteContext } from '#kernel'
import { sizeOfChat } from '../relay/input-size.ts'
import type { Dialect } from '../wire/dialect.ts'
import { chatCompletions } from '../wire/dialects/chat-completions/dialect.ts'
import { messages } from '../wire/dialects/messages/dialect.ts'
import { readPrompt } from '../wire/dialects/messages/read.ts'
import { objectAt } from '../wire/json.ts'
import { answerInDialect, demandCountable } from './answer.ts'
import { callerOf } from './caller.ts'
import { embed } from './embeddings.ts'
import { root } from './forms.ts'
import { getModel, listModels } from './models.ts'
import type { SurfaceParts } from './ports.ts'
import * as schemas from './schemas.ts'
import { answerResponse } from './responses/answer-response.ts'
import { withBetas } from './betas.ts'

/** Pictures and files come within the body. */
const largestBody = 32 * 1024 * 1024
/** The body is the dialect's to read, and its errors the dialect's to tell. */
const posted = { method: 'post', auth: 'none', accepts: ['json'], maxBodyBytes: largestBody } as const
const refusals = [4002, 4010, 4019, 4031, 4036, 4048, 4290, 4296, 4298, 5021, 5034]

const modelParams = {
  type: 'object',
  required: ['model_id'],
  properties: { model_id: { type: 'string', minLength: 1, maxLength: 200 } },
} as const

/** What clients of OpenAI and Anthropic speak to; every caller has a key, which is looked at before the body is taken. */
export function surfaceRoutes(parts: SurfaceParts): readonly Route[] {
  const demands = demandsOf(parts)
  return [
    dialectRoute(chatCompletions, '/chat/completions', 'Answer a conversation, as OpenAI’s chat completions', parts),
    dialectRoute(messages, '/messages', 'Answer a conversation, as Anthropic’s messages', parts),
    defineRoute({
      ...{ ...posted, ...demands('chat', 'agents') },
      path: `${root}/responses`,
      summary: 'Answer a conversation, as OpenAI’s responses',
      answers: [{ isBare: true, schema: schemas.response }, { types: ['text/event-stream'] }],
      errors: refusals,
      handler: async (ctx) => answerResponse(ctx, await callerOf(ctx, parts.keys, 'chat', 'agents'), parts),
    }),
    defineRoute({
      ...{ ...posted, ...demands('chat') },
      path: `${root}/messages/count_tokens`,
      summary: 'Count about how many tokens a conversation has',
      answers: [{ isBare: true, schema: schemas.tokenCount }],
      errors: refusals,
      async handler(ctx) {
        const key = await callerOf(ctx, parts.keys, 'chat')
        const prompt = readPrompt(objectAt(ctx.body, 'body'))
        await demandCountable(prompt, key, parts)
        const size = sizeOfChat(prompt)
        return raw(JSON.stringify({ input_tokens: size.about }), 'application/json; charset=utf-8')
      },
    }),
    defineRoute({
      ...{ ...posted, ...demands('embeddings') },
      path: `${root}/embeddings`,
      summary: 'Turn texts into vectors, as OpenAI’s embeddings',
      answers: [{ isBare: true, schema: schemas.embeddings }],
      errors: refusals,
      handler: async (ctx) => embed(ctx, await callerOf(ctx, parts.keys, 'embeddings'), parts),
    }),
    ...modelRoutes(parts),
  ]
}

function dialectRoute(dialect: Dialect, path: string, summary: string, parts: SurfaceParts): Route {
  return defineRoute({
    ...{ ...posted, ...demandsOf(parts)('chat', 'agents') },
    path: root + path,
    summary,
    answers: [{ isBare: true, schema: schemas.dialectAnswers[dialect.name] }, { types: ['text/event-stream'] }],
    errors: refusals,
    async handler(ctx) {
      const key = await callerOf(ctx, parts.keys, 'chat', 'agents')
      return answerInDialect(dialect, withBetas(dialect.read(ctx.body), ctx), ctx, key, parts)
    },
  })
}

type Scopes = Parameters<typeof callerOf> extends [unknown, unknown, ...infer S] ? S : never

function demandsOf({ keys }: SurfaceParts) {
  return (...scopes: Scopes) => ({
    async demandCredential(ctx: Pick<RouteContext, 'header' | 'state'>): Promise<void> {
      await callerOf(ctx, keys, ...scopes)
    },
  })
}

function modelRoutes(parts: SurfaceParts): readonly Route[] {
  const { keys } = parts
  const formOf = (version: string | undefined) => (version === undefined ? 'openai' : 'anthropic')
  return [
    defineRoute({
      method: 'get',
      path: `${root}/models`,
      summary: 'List the models that the key may use',
      auth: 'none',
      answers: [{ isBare: true, schema: schemas.modelList }],
      async handler(ctx) {
        const key = await callerOf(ctx, keys, 'models')
        return listModels(key, parts, formOf(ctx.header('anthropic-version')))
      },
    }),
    defineRoute({
      method: 'get',
      path: `${root}/models/{model_id}`,
      summary: 'Read one of them',
      auth: 'none',
      errors: [4048],
      answers: [{ isBare: true, schema: schemas.model }],
      schema: { params: modelParams },
      async handler(ctx) {
        const key = await callerOf(ctx, keys, 'models')
        return getModel(ctx.params.model_id, key, parts, formOf(ctx.header('anthropic-version')))
      },
    }),
  ]
}
