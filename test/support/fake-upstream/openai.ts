import type { RequestRecord } from './lanes.ts'
import { countTokens } from './plan.ts'
import type { Asked, Piece, Plan, Whole, Wire } from './wire.ts'

/* OpenAI's API reference: chat completions, their stream, embeddings, models, errors. */

interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: unknown
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly stop?: string | readonly string[]
  readonly reasoning_effort?: string
}

/** What an OpenAI-compatible server says. */
export const openAiWire: Wire = {
  serves: (path) => path.startsWith('/v1/') || path.startsWith('/openai/v1/'),
  other,
  read({ body }): Asked {
    const asked = body as ChatBody
    const last = asked.messages.at(-1)
    const parts = Array.isArray(last?.content) ? (last.content as Record<string, unknown>[]) : []
    const said = typeof last?.content === 'string' ? last.content : parts.map(({ text = '' }) => text).join('')
    const max = asked.max_completion_tokens ?? asked.max_tokens
    return {
      ...{ model: asked.model, stream: asked.stream ?? false, text: said, maxTokens: max },
      images: parts.flatMap(({ image_url: image }) => (image ? [(image as { url: string }).url.slice(0, 40)] : [])),
      hasResult: last?.role === 'tool',
      tools: asked.tools?.map((tool) => tool.function.name) ?? [],
      mustCall: asked.tool_choice === 'required' || typeof asked.tool_choice === 'object',
      thinks: asked.reasoning_effort !== undefined && asked.reasoning_effort !== 'none',
      stop: typeof asked.stop === 'string' ? [asked.stop] : (asked.stop ?? []),
      wantsUsage: asked.stream_options?.include_usage ?? false,
      inputTokens: countTokens(asked.messages),
    }
  },
  whole(plan) {
    const { id, model, pieces } = plan
    const calls = pieces.filter((piece) => piece.kind === 'call').map(presentCall)
    const [text, thought] = (['text', 'thought'] as const).map((kind) =>
      pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join(''),
    )
    const message = {
      ...{ role: 'assistant', content: calls.length > 0 ? null : text, refusal: null },
      ...(thought !== '' && { reasoning_content: thought }),
      ...(calls.length > 0 && { tool_calls: calls }),
    }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finishOf(plan) }]
    return {
      id,
      object: 'chat.completion',
      created: 1_700_000_000,
      model,
      choices,
      ...(plan.usage && { usage: usageOf(plan) }),
    }
  },
  frames(plan, { wantsUsage }) {
    const { id, model } = plan
    const chunk = (more: object): string =>
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1_700_000_000, model, ...more })}\n\n`
    const delta = (value: object, finish: string | null = null): string =>
      chunk({ choices: [{ index: 0, delta: value, logprobs: null, finish_reason: finish }] })
    const usage = plan.usage && wantsUsage ? [chunk({ choices: [], usage: usageOf(plan) })] : []
    const calls = plan.pieces.filter((piece) => piece.kind === 'call')
    return {
      open: [delta({ role: 'assistant', content: '' })],
      pieces: plan.pieces.map((piece) =>
        deltasOf(piece, calls.indexOf(piece as (typeof calls)[0])).map((each) => delta(each)),
      ),
      close: [delta({}, finishOf(plan)), ...usage, 'data: [DONE]\n\n'],
    }
  },
  error(status) {
    const body = { error: { message: `fake fault ${status}`, type: 'server_error', param: null, code: null } }
    return { body, frame: `data: ${JSON.stringify(body)}\n\n` }
  },
}

function other({ path, headers, body }: RequestRecord): Whole | undefined {
  if (headers['authorization'] === 'Bearer bad-key' || headers['api-key'] === 'bad-key') {
    const error = {
      message: 'Incorrect API key provided: bad-key',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    }
    return { status: 401, body: { error } }
  }
  if (path.endsWith('/models')) {
    const data = ['fake-large', 'fake-small'].map((id) => ({
      id,
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'fake',
    }))
    return { body: { object: 'list', data } }
  }
  if (path.endsWith('/embeddings')) return { body: embed(body as EmbeddingBody) }
  return path.endsWith('/chat/completions') ? undefined : { status: 404, body: { error: { message: 'not found' } } }
}

interface EmbeddingBody {
  readonly model: string
  readonly input: string | readonly unknown[]
  readonly dimensions?: number
  readonly encoding_format?: string
}

function embed({ model, input, dimensions = 4, encoding_format: format }: EmbeddingBody): object {
  const list = typeof input === 'string' ? [input] : input
  const data = list.map((text, index) => {
    const vector = Array.from({ length: dimensions }, (_, at) => (JSON.stringify(text).length + at) / 64)
    const embedding = format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
    return { object: 'embedding', index, embedding }
  })
  const tokens = countTokens(input)
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } }
}

function presentCall({ id, name, arguments: text }: Extract<Piece, { kind: 'call' }>): object {
  return { id, type: 'function', function: { name, arguments: text } }
}

function deltasOf(piece: Piece, index: number): readonly object[] {
  if (piece.kind === 'thought') return [{ reasoning_content: piece.text }]
  if (piece.kind === 'text') return [{ content: piece.text }]
  const { id, name, arguments: text } = piece
  const half = Math.floor(text.length / 2)
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...[text.slice(0, half), text.slice(half)].map((part) => ({
      tool_calls: [{ index, function: { arguments: part } }],
    })),
  ]
}

function finishOf({ finish }: Plan): string {
  return finish === 'calls' ? 'tool_calls' : finish
}

function usageOf({ usage }: Plan): object | undefined {
  if (!usage) return undefined
  const { input, output, thoughts } = usage
  return {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    ...{ prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: thoughts } },
  }
}
