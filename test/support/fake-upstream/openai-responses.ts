import { createHash } from 'node:crypto'
import { countTokens } from './plan.ts'
import type { Asked, Piece, Plan, Whole, Wire } from './wire.ts'

/* OpenAI's API reference: responses and their stream, stateless, with encrypted reasoning. */

type Item = Readonly<Record<string, unknown>>
interface Body {
  readonly model: string
  readonly input: string | readonly Item[]
  readonly tools?: readonly { readonly name: string }[]
  readonly tool_choice?: unknown
  readonly stream?: boolean
  readonly store?: boolean
  readonly include?: readonly string[]
  readonly max_output_tokens?: number
  readonly reasoning?: { readonly effort?: string; readonly summary?: string }
  readonly previous_response_id?: string
}

/** What OpenAI says below `/responses`. */
export const responsesWire: Wire = {
  serves: (path) => path.endsWith('/responses'),
  other({ headers, body }): Whole | undefined {
    if (headers['authorization'] === 'Bearer bad-key') return refusal(401, 'Incorrect API key provided')
    const fault = faultOf(body as Body)
    return fault === undefined ? undefined : refusal(400, fault)
  },
  read({ body }): Asked {
    const asked = body as Body
    const last = itemsOf(asked).at(-1)
    const content = last?.['type'] === 'function_call_output' ? last['output'] : last?.['content']
    const parts = Array.isArray(content) ? (content as Item[]) : []
    const { reasoning, tool_choice: choice } = asked
    return {
      ...{ model: asked.model, stream: asked.stream ?? false, maxTokens: asked.max_output_tokens, wantsUsage: true },
      text: typeof content === 'string' ? content : parts.map(({ text = '' }) => String(text)).join(''),
      images: parts.flatMap(({ image_url: url }) => (typeof url === 'string' ? [url.slice(0, 40)] : [])),
      hasResult: last?.['type'] === 'function_call_output',
      tools: asked.tools?.map(({ name }) => name) ?? [],
      mustCall: choice === 'required' || typeof choice === 'object',
      thinks: reasoning?.effort !== undefined && reasoning.effort !== 'none',
      stop: [],
      inputTokens: countTokens(asked.input),
    }
  },
  whole: (plan) =>
    responseOf(
      plan,
      'completed',
      itemsOfPlan(plan).map(({ done }) => done),
    ),
  frames(plan) {
    let number = 0
    const frame = (type: string, more: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...more })}\n\n`
    const begun = responseOf(plan, 'in_progress', [])
    const items = itemsOfPlan(plan)
    const open = [frame('response.created', { response: begun }), frame('response.in_progress', { response: begun })]
    const pieces = items.flatMap((item, at) => {
      const before = items[at - 1]
      return item.deltas.map((deltas, nth) => [
        ...(nth === 0 && before
          ? before.end.map(([type, more]) => frame(type, { output_index: at - 1, ...more }))
          : []),
        ...(nth === 0 ? item.begin : []).map(([type, more]) => frame(type, { output_index: at, ...more })),
        ...deltas.map(([type, more]) => frame(type, { output_index: at, ...more })),
      ])
    })
    const last = items.at(-1)
    const status = plan.finish === 'length' ? 'incomplete' : 'completed'
    const close = [
      ...(last?.end ?? []).map(([type, more]) => frame(type, { output_index: items.length - 1, ...more })),
      frame(`response.${status}`, {
        response: responseOf(
          plan,
          status,
          items.map(({ done }) => done),
        ),
      }),
    ]
    return { open, pieces, close }
  },
  error(status) {
    const error = { message: `fake fault ${status}`, type: 'server_error', param: null, code: null }
    const said = { type: 'error', sequence_number: 99, code: 'server_error', message: error.message, param: null }
    return { body: { error }, frame: `event: error\ndata: ${JSON.stringify(said)}\n\n` }
  },
}

type Event = readonly [type: string, more: object]
interface PlannedItem {
  readonly done: object
  readonly begin: readonly Event[]
  readonly deltas: readonly (readonly Event[])[]
  readonly end: readonly Event[]
}

/** What OpenAI encrypts a thought to, so that it knows its own when it comes back. */
function sealOf(thought: string): string {
  return `gAAAAA${createHash('sha256').update(`encrypted ${thought}`).digest('base64url')}`
}

function itemsOfPlan({ id, pieces }: Plan): readonly PlannedItem[] {
  const [thoughts, words] = (['thought', 'text'] as const).map((kind) => pieces.filter((piece) => piece.kind === kind))
  const calls = pieces.filter((piece) => piece.kind === 'call')
  return [
    ...(thoughts && thoughts.length > 0 ? [thoughtItem(`rs_${id}`, thoughts)] : []),
    ...(words && words.length > 0 ? [messageItem(`msg_${id}`, words)] : []),
    ...calls.map((call, at) => callItem(`fc_${id}_${at}`, call)),
  ]
}

function thoughtItem(id: string, pieces: readonly Piece[]): PlannedItem {
  const text = textOf(pieces)
  const place = { item_id: id, summary_index: 0 }
  const done = { id, type: 'reasoning', summary: [{ type: 'summary_text', text }], encrypted_content: sealOf(text) }
  const part = { type: 'summary_text', text: '' }
  return {
    done,
    begin: [
      ['response.output_item.added', { item: { ...done, summary: [] } }],
      ['response.reasoning_summary_part.added', { ...place, part }],
    ],
    deltas: pieces.map((piece) => [['response.reasoning_summary_text.delta', { ...place, delta: textOf([piece]) }]]),
    end: [
      ['response.reasoning_summary_text.done', { ...place, text }],
      ['response.reasoning_summary_part.done', { ...place, part: { ...part, text } }],
      ['response.output_item.done', { item: done }],
    ],
  }
}

function messageItem(id: string, pieces: readonly Piece[]): PlannedItem {
  const text = textOf(pieces)
  const place = { item_id: id, content_index: 0 }
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const head = { id, type: 'message', role: 'assistant' }
  const done = { ...head, status: 'completed', content: [part] }
  return {
    done,
    begin: [
      ['response.output_item.added', { item: { ...head, status: 'in_progress', content: [] } }],
      ['response.content_part.added', { ...place, part: { ...part, text: '' } }],
    ],
    deltas: pieces.map((piece) => [
      ['response.output_text.delta', { ...place, delta: textOf([piece]), logprobs: [], obfuscation: 'x' }],
    ]),
    end: [
      ['response.output_text.done', { ...place, text, logprobs: [] }],
      ['response.content_part.done', { ...place, part }],
      ['response.output_item.done', { item: done }],
    ],
  }
}

function callItem(id: string, { id: callId, name, arguments: text }: Extract<Piece, { kind: 'call' }>): PlannedItem {
  const done = { id, type: 'function_call', status: 'completed', call_id: callId, name, arguments: text }
  const half = Math.floor(text.length / 2)
  const deltas = [text.slice(0, half), text.slice(half)].map((delta): Event => [
    'response.function_call_arguments.delta',
    { item_id: id, delta },
  ])
  return {
    done,
    begin: [['response.output_item.added', { item: { ...done, status: 'in_progress', arguments: '' } }]],
    deltas: [deltas],
    end: [
      ['response.function_call_arguments.done', { item_id: id, name, arguments: text }],
      ['response.output_item.done', { item: done }],
    ],
  }
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'call' ? '' : piece.text)).join('')
}

function responseOf({ id, model, usage }: Plan, status: string, output: readonly object[]): object {
  const { input = 0, output: said = 0, thoughts = 0 } = usage ?? {}
  const reported = {
    ...{ input_tokens: input, input_tokens_details: { cached_tokens: 0 }, output_tokens: said },
    ...{ output_tokens_details: { reasoning_tokens: thoughts }, total_tokens: input + said },
  }
  return {
    ...{ id: `resp_${id}`, object: 'response', created_at: 1_700_000_000, status, error: null, model, output },
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    ...{ store: false, previous_response_id: null, parallel_tool_calls: true, tool_choice: 'auto', tools: [] },
    usage: status === 'in_progress' || !usage ? null : reported,
  }
}

function refusal(status: number, message: string): Whole {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code: null } } }
}

/** What the real one refuses without a store of its own: what it cannot decrypt, and calls whose thoughts were left out. */
function faultOf(body: Body): string | undefined {
  if (body.store !== false || body.previous_response_id !== undefined) return 'Nothing is stored here.'
  const items = itemsOf(body)
  for (const [at, { type, encrypted_content: sealed, summary }] of items.entries()) {
    if (type === 'reasoning' && sealed !== sealOf(textsIn(summary)))
      return 'The encrypted content could not be verified.'
    const isCall = type === 'function_call' && items[at - 1]?.['type'] !== 'function_call'
    if (isCall && asksForThoughts(body) && items[at - 1]?.['type'] !== 'reasoning') {
      return `Item ${at} of type 'function_call' was provided without its required 'reasoning' item.`
    }
  }
  return undefined
}

function asksForThoughts({ include = [], reasoning }: Body): boolean {
  return include.includes('reasoning.encrypted_content') && reasoning !== undefined
}

function textsIn(summary: unknown): string {
  return Array.isArray(summary) ? (summary as Item[]).map(({ text }) => String(text)).join('') : ''
}

function itemsOf({ input }: Body): readonly Item[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
}
