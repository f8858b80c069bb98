import { createHash } from 'node:crypto'
import type { RequestRecord } from './lanes.ts'
import { countTokens } from './plan.ts'
import type { Asked, Piece, Plan, Whole, Wire } from './wire.ts'

/* Anthropic's API reference: messages, their stream, count_tokens, models, errors; thinking with its signatures. */

type Block = Readonly<Record<string, unknown>>
interface Body {
  readonly model: string
  readonly max_tokens?: number
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[]
  readonly tools?: readonly { readonly name: string }[]
  readonly tool_choice?: { readonly type: string }
  readonly stream?: boolean
  readonly stop_sequences?: readonly string[]
  readonly thinking?: { readonly type: string }
}

/** What Anthropic says. */
export const anthropicWire: Wire = {
  serves: (path, headers) => path.startsWith('/v1/messages') || headers['anthropic-version'] !== undefined,
  other,
  read({ body }): Asked {
    const asked = body as Body
    const last = asked.messages.at(-1)
    const blocks = blocksOf(last?.content)
    const results = blocks.filter(({ type }) => type === 'tool_result')
    const said = results.length > 0 ? results.flatMap(({ content }) => blocksOf(content)) : blocks
    return {
      ...{ model: asked.model, stream: asked.stream ?? false, maxTokens: asked.max_tokens, wantsUsage: true },
      text: said.map(({ text = '' }) => String(text)).join(''),
      images: said.flatMap(({ type, source }) => (type === 'image' ? [imageOf(source as Block)] : [])),
      hasResult: results.length > 0,
      tools: asked.tools?.map(({ name }) => name) ?? [],
      mustCall: ['any', 'tool'].includes(asked.tool_choice?.type ?? ''),
      thinks: thinks(asked),
      stop: asked.stop_sequences ?? [],
      inputTokens: countTokens(asked.messages),
    }
  },
  whole(plan) {
    const { id, model, usage } = plan
    const usages = { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0, ...noCache }
    const head = { id, type: 'message', role: 'assistant', model, content: blocksOfPlan(plan) }
    return { ...head, stop_reason: stopOf(plan), stop_sequence: null, usage: usages }
  },
  frames(plan) {
    const { id, model, usage } = plan
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    }
    const usages = { input_tokens: usage?.input ?? 0, output_tokens: 1, ...noCache }
    const delta = { stop_reason: stopOf(plan), stop_sequence: null }
    const { pieces, close } = blockFrames(plan.pieces)
    return {
      open: [frame({ type: 'message_start', message: { ...message, usage: usages } }), frame({ type: 'ping' })],
      pieces,
      close: [
        ...close,
        frame({ type: 'message_delta', delta, ...(usage && { usage: { output_tokens: usage.output } }) }),
        frame({ type: 'message_stop' }),
      ],
    }
  },
  error(status) {
    const type = status === 429 ? 'rate_limit_error' : status === 529 ? 'overloaded_error' : 'api_error'
    const body = { type: 'error', error: { type, message: `fake fault ${status}` }, request_id: 'req_fake' }
    return { body, frame: `event: error\ndata: ${JSON.stringify(body)}\n\n` }
  },
}

const noCache = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** What Anthropic puts over a thought, so that it knows its own when it comes back. */
function seal(thought: string): string {
  return createHash('sha256').update(`sealed ${thought}`).digest('base64')
}

function other({ path, headers, body }: RequestRecord): Whole | undefined {
  if (headers['x-api-key'] === 'bad-key') return refusal(401, 'authentication_error', 'invalid x-api-key')
  if (headers['anthropic-version'] === undefined)
    return refusal(400, 'invalid_request_error', 'anthropic-version: header is required')
  if (path.endsWith('/models')) {
    const data = ['fake-opus', 'fake-haiku'].map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2026-01-01T00:00:00Z',
    }))
    return { body: { data, has_more: false, first_id: 'fake-opus', last_id: 'fake-haiku' } }
  }
  if (path.endsWith('/count_tokens')) return { body: { input_tokens: countTokens((body as Body).messages) } }
  if (!path.endsWith('/messages')) return refusal(404, 'not_found_error', 'not found')
  const fault = faultOf(body as Body)
  return fault === undefined ? undefined : refusal(400, 'invalid_request_error', fault)
}

function refusal(status: number, type: string, message: string): Whole {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_fake' } }
}

/** What the real one refuses: seals that are not its own, and thoughts that were left out before a call. */
function faultOf(body: Body): string | undefined {
  if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required'
  if (body.messages.some(({ role }) => role !== 'user' && role !== 'assistant')) return 'messages: Unexpected role'
  const blocks = body.messages.flatMap(({ content }) => blocksOf(content))
  const isForged = ({ type, thinking, signature }: Block): boolean =>
    type === 'thinking' && signature !== seal(String(thinking))
  if (blocks.some(isForged)) return 'messages: Invalid `signature` in `thinking` block'
  const calls = body.messages.findLast(({ role }) => role === 'assistant')
  const list = blocksOf(calls?.content)
  const isOpen = blocksOf(body.messages.at(-1)?.content).some(({ type }) => type === 'tool_result')
  const hasThought = list[0]?.['type'] === 'thinking' || list[0]?.['type'] === 'redacted_thinking'
  if (isOpen && thinks(body) && list.some(({ type }) => type === 'tool_use') && !hasThought) {
    return 'messages: Expected `thinking` or `redacted_thinking`, but found `tool_use`'
  }
  return undefined
}

function thinks({ thinking }: Body): boolean {
  return thinking?.type === 'enabled' || thinking?.type === 'adaptive'
}

function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as Block[]) : []
}

function imageOf({ type, media_type: media, data, url }: Block): string {
  return (type === 'base64' ? `data:${String(media)};base64,${String(data)}` : String(url)).slice(0, 40)
}

/** Neighbouring thoughts and neighbouring words are one block each. */
function groupsOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const groups: Piece[][] = []
  for (const piece of pieces) {
    const last = groups.at(-1)
    if (last && piece.kind !== 'call' && last[0]?.kind === piece.kind) last.push(piece)
    else groups.push([piece])
  }
  return groups
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'call' ? '' : piece.text)).join('')
}

function blocksOfPlan({ pieces }: Plan): readonly object[] {
  return groupsOf(pieces).map((group) => {
    const [first] = group
    const text = textOf(group)
    if (first?.kind === 'thought') return { type: 'thinking', thinking: text, signature: seal(text) }
    if (first?.kind !== 'call') return { type: 'text', text }
    return { type: 'tool_use', id: first.id, name: first.name, input: JSON.parse(first.arguments) as unknown }
  })
}

function blockFrames(all: readonly Piece[]): { pieces: readonly (readonly string[])[]; close: readonly string[] } {
  const groups = groupsOf(all)
  const ends = (index: number): readonly string[] => {
    const group = groups[index]
    if (!group) return []
    const sealed =
      group[0]?.kind === 'thought'
        ? [deltaFrame(index, { type: 'signature_delta', signature: seal(textOf(group)) })]
        : []
    return [...sealed, frame({ type: 'content_block_stop', index })]
  }
  const pieces = groups.flatMap((group, index) =>
    group.map((piece, at) => [
      ...(at === 0 ? [...ends(index - 1), startFrame(index, piece)] : []),
      ...deltaFrames(index, piece),
    ]),
  )
  return { pieces, close: ends(groups.length - 1) }
}

function startFrame(index: number, piece: Piece): string {
  const blocks = {
    thought: { type: 'thinking', thinking: '', signature: '' },
    text: { type: 'text', text: '' },
    call: { type: 'tool_use', ...(piece.kind === 'call' && { id: piece.id, name: piece.name }), input: {} },
  }
  return frame({ type: 'content_block_start', index, content_block: blocks[piece.kind] })
}

function deltaFrames(index: number, piece: Piece): readonly string[] {
  if (piece.kind === 'thought') return [deltaFrame(index, { type: 'thinking_delta', thinking: piece.text })]
  if (piece.kind === 'text') return [deltaFrame(index, { type: 'text_delta', text: piece.text })]
  const half = Math.floor(piece.arguments.length / 2)
  const parts = ['', piece.arguments.slice(0, half), piece.arguments.slice(half)]
  return parts.map((part) => deltaFrame(index, { type: 'input_json_delta', partial_json: part }))
}

function deltaFrame(index: number, delta: object): string {
  return frame({ type: 'content_block_delta', index, delta })
}

function frame(data: { readonly type: string; readonly [name: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function stopOf({ finish }: Plan): string {
  return { stop: 'end_turn', length: 'max_tokens', calls: 'tool_use' }[finish]
}
