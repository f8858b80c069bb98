import { isListed } from './caller.ts'
import { raw, type RouteContext } from '#kernel'
import { fieldFault } from '../wire/faults.ts'
import { Members, nameAt, objectAt, present } from '../wire/json.ts'
import type { NeutralEmbeddingRequest } from '../wire/neutral.ts'
import type { SurfaceKey, SurfaceParts } from './ports.ts'
import { tagsOf } from './tags.ts'

const named: ReadonlySet<string> = new Set(['model', 'input', 'dimensions', 'user', 'encoding_format'])
/** As OpenAI publishes it. */
const mostTexts = 2048

/** Turns texts into vectors, in digits or base64. */
export async function embed(
  ctx: Pick<RouteContext, 'body' | 'header' | 'signal' | 'state'>,
  key: SurfaceKey,
  { relay }: Pick<SurfaceParts, 'relay'>,
): Promise<unknown> {
  const body = objectAt(ctx.body, 'body')
  const format = new Members(body).text('encoding_format') ?? 'float'
  if (format !== 'float' && format !== 'base64') throw fieldFault('encoding_format', 'must be float or base64')
  const request = readEmbeddings(body)
  const metadata = new Members(body).object('metadata')
  const { tenantId, userId } = key
  const { about, vectors, result } = await relay.embed({
    ...{ request, purpose: 'embedding', signal: ctx.signal, traceId: ctx.state.traceId },
    spender: {
      ...{ tenantId, keyId: key.id, tags: tagsOf(key, metadata, ctx.header('x-ai-tags')) },
      ...(userId !== undefined && { userId }),
    },
    mayUse: (model) => isListed(key.models, model),
  })
  const data = vectors.map((vector, index) => ({
    ...{ object: 'embedding', index },
    embedding: format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector,
  }))
  const { inputTokens } = result.usage
  const usage = { prompt_tokens: inputTokens, total_tokens: inputTokens }
  const text = JSON.stringify({ object: 'list', data, model: request.model, usage })
  return raw(text, 'application/json; charset=utf-8', { headers: about.headers })
}

function readEmbeddings(body: Readonly<Record<string, unknown>>): NeutralEmbeddingRequest {
  const members = new Members(body)
  return present({
    model: nameAt(body['model'], 'model'),
    input: readInput(body['input']),
    dimensions: members.integer('dimensions', 1),
    user: members.text('user'),
    extra: Object.fromEntries(Object.entries(body).filter(([name]) => !named.has(name))),
  })
}

function readInput(input: unknown): NeutralEmbeddingRequest['input'] {
  if (typeof input === 'string' && input !== '') return [input]
  if (!Array.isArray(input) || input.length === 0)
    throw fieldFault('input', 'must be a text or a list that is not empty')
  const list = input as readonly unknown[]
  if (isTokens(list)) return [list]
  if (list.length > mostTexts) throw fieldFault('input', `at most ${mostTexts} texts at once`)
  return list.map((each, at) => {
    if (typeof each === 'string' && each !== '') return each
    if (Array.isArray(each) && each.length > 0 && isTokens(each as unknown[])) return each as number[]
    throw fieldFault(`input[${at}]`, 'must be a text, or a list of tokens, that is not empty')
  })
}

function isTokens(list: readonly unknown[]): list is readonly number[] {
  return list.every((each) => Number.isSafeInteger(each))
}
