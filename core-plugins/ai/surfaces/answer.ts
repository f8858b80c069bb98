import { Readable } from 'node:stream'
import { AppError, raw, type RouteContext } from '#kernel'
import type { AiEvent } from '../contract.ts'
import type { RelayRun, RelayStream } from '../relay/call.ts'
import type { AnswerAbout, Dialect, StreamWriter } from '../wire/dialect.ts'
import type { NeutralAnswer, NeutralRequest } from '../wire/neutral.ts'
import { conversationOf, isAgentName, startAgent, type SurfaceRun } from './agents.ts'
import { isListed } from './caller.ts'
import { dialectErrorOf } from './forms.ts'
import type { SurfaceKey, SurfaceParts } from './ports.ts'
import { tagsOf } from './tags.ts'

type Caller = Pick<RouteContext, 'header' | 'state' | 'signal'>

/** What becomes of an answer beside being sent. */
export interface AnswerWatcher {
  event(event: AiEvent): void
  /** Before the last frames of a stream and before a whole answer goes out. */
  whole(answer: NeutralAnswer | undefined): Promise<void>
}

/** Calls the model that a request is for, and answers in the words of its dialect. */
export async function answerInDialect(
  dialect: Dialect,
  request: NeutralRequest,
  ctx: Caller,
  key: SurfaceKey,
  parts: Pick<SurfaceParts, 'relay' | 'agents'>,
  { id = dialect.newId(), watcher }: { readonly id?: string; readonly watcher?: AnswerWatcher | undefined } = {},
): Promise<unknown> {
  const run = (await startAgent(request, ctx, key, parts)) ?? (await startModel(dialect, request, ctx, key, parts))
  const about = { id, created: Math.floor(Date.now() / 1000), model: request.model, request }
  if (run.stream) return streamed(dialect, run, run.stream, about, ctx.state.traceId, watcher)
  const answer = run.answer as NeutralAnswer
  await watcher?.whole(answer)
  return raw(dialect.answer(answer, about), 'application/json; charset=utf-8', { headers: run.about.headers })
}

/** Throws what a call with this key would be refused with for the model that it names, agents apart: their words are counted as they are. */
export async function demandCountable(
  request: Pick<NeutralRequest, 'model'>,
  { tenantId, models }: SurfaceKey,
  { relay }: Pick<SurfaceParts, 'relay'>,
): Promise<void> {
  if (isAgentName(request.model)) return relay.demandOpen(tenantId)
  await relay.demandModel({ request, spender: { tenantId }, mayUse: (model) => isListed(models, model) })
}

function startModel(
  { wire }: Dialect,
  request: NeutralRequest,
  ctx: Caller,
  key: SurfaceKey,
  { relay }: Pick<SurfaceParts, 'relay'>,
): Promise<RelayRun> {
  const { id: keyId, tenantId, userId, models } = key
  const tags = tagsOf(key, request.metadata, ctx.header('x-ai-tags'))
  return relay.start({
    ...{ request, signal: ctx.signal, traceId: ctx.state.traceId, wire, purpose: 'chat' },
    spender: { tenantId, keyId, tags, ...(userId !== undefined && { userId }) },
    mayUse: (model) => isListed(models, model),
    maxAgeSeconds: maxAgeOf(ctx.header('cache-control')),
    sticky: conversationOf(request, ctx) ?? cacheKeyOf(request),
  })
}

function streamed(
  dialect: Dialect,
  run: SurfaceRun,
  stream: RelayStream,
  about: AnswerAbout,
  traceId: string,
  watcher: AnswerWatcher | undefined,
): unknown {
  const headers = { ...run.about.headers, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  const source = readableOf(stream, dialect.writer(about), traceId, watcher)
  return raw(source, 'text/event-stream; charset=utf-8', { headers })
}

/** The frames of a stream as they come: nothing is held back but what the client does not take. */
function readableOf(
  stream: RelayStream,
  writer: StreamWriter,
  traceId: string,
  watcher: AnswerWatcher | undefined,
): Readable {
  const source = new Readable({ read: () => stream.resume() })
  const last = (text: string): void => {
    source.push(text)
    source.push(null)
  }
  const fail = (error: AppError): void => last(writer.fail(dialectErrorOf(error, error.message, traceId)))
  stream.flow({
    events(events) {
      let text = ''
      for (const event of events) {
        watcher?.event(event)
        if (event.type !== 'switched') text += writer.write(event)
      }
      return text === '' || source.push(text)
    },
    waiting: () => void source.push(': waiting\n\n'),
    end() {
      if (!watcher) return last(writer.end())
      watcher.whole(undefined).then(
        () => last(writer.end()),
        (error: unknown) => (error instanceof AppError ? fail(error) : source.destroy(error as Error)),
      )
    },
    fail,
  })
  return source
}

/** What clients group requests by whose beginnings are the same: OpenAI's own word for it, or whose they are. */
function cacheKeyOf({ extra, user }: NeutralRequest): string | undefined {
  const key = extra['prompt_cache_key']
  return typeof key === 'string' ? key : user
}

/** `max-age` of the request: how old an equal answer may be; 0 for one that wants none. */
function maxAgeOf(control: string | undefined): number | undefined {
  if (/(?:^|[\s,])no-(?:cache|store)(?:$|[\s,])/i.test(control ?? '')) return 0
  const seconds = /(?:^|[\s,])max-age=(\d+)/i.exec(control ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
