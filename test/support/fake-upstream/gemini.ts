import type { RequestRecord } from './lanes.ts'
import { countTokens } from './plan.ts'
import type { Asked, Piece, Plan, Whole, Wire } from './wire.ts'

/* Google's reference of the Gemini API: generateContent, streamGenerateContent, embedContent, models, errors; thought signatures. */

type Part = Readonly<Record<string, unknown>>
interface Body {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly Part[] }[]
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[]
  readonly toolConfig?: { readonly functionCallingConfig?: { readonly mode?: string } }
  readonly generationConfig?: {
    readonly maxOutputTokens?: number
    readonly stopSequences?: readonly string[]
    readonly thinkingConfig?: { readonly includeThoughts?: boolean }
  }
}

const seal = 'c2VhbGVkIGJ5IGdlbWluaQ=='

/** What Gemini says. */
export const geminiWire: Wire = {
  serves: (path) => path.startsWith('/v1beta/'),
  other,
  read({ path, body }): Asked {
    const asked = body as Body
    const last = asked.contents.at(-1)?.parts ?? []
    const results = last.filter(({ functionResponse }) => functionResponse !== undefined)
    const said = results.length > 0 ? results.map(resultText) : last.map(({ text = '' }) => String(text))
    return {
      ...{ model: modelOf(path), stream: path.includes(':streamGenerateContent'), wantsUsage: true },
      text: said.join(''),
      images: last.flatMap(({ inlineData }) => (inlineData ? [imageOf(inlineData as Part)] : [])),
      hasResult: results.length > 0,
      tools:
        asked.tools?.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)) ?? [],
      mustCall: asked.toolConfig?.functionCallingConfig?.mode === 'ANY',
      thinks: asked.generationConfig?.thinkingConfig?.includeThoughts ?? false,
      maxTokens: asked.generationConfig?.maxOutputTokens,
      stop: asked.generationConfig?.stopSequences ?? [],
      inputTokens: countTokens(asked.contents),
    }
  },
  whole: (plan) => presentPlan(plan, plan.pieces, true),
  frames(plan) {
    return {
      open: [],
      pieces: plan.pieces.map((piece) => [frame(presentPlan(plan, [piece], false))]),
      close: [frame(presentPlan(plan, [], true))],
    }
  },
  error(status) {
    const names: Readonly<Record<number, string>> = {
      400: 'INVALID_ARGUMENT',
      401: 'UNAUTHENTICATED',
      429: 'RESOURCE_EXHAUSTED',
      503: 'UNAVAILABLE',
    }
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' }
    const details = status === 429 ? { details: [retry] } : {}
    const body = {
      error: { code: status, message: `fake fault ${status}`, status: names[status] ?? 'INTERNAL', ...details },
    }
    return { body, frame: frame(body) }
  },
}

function other({ path, headers, body }: RequestRecord): Whole | undefined {
  if (headers['x-goog-api-key'] === 'bad-key') {
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
    }
    return refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [info])
  }
  if (path.endsWith('/models')) {
    const models = ['fake-pro', 'fake-flash'].map((name) => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ['generateContent'],
    }))
    return { body: { models } }
  }
  if (path.endsWith(':batchEmbedContents')) {
    const { requests } = body as { requests: readonly { outputDimensionality?: number; content: unknown }[] }
    const embeddings = requests.map(({ content, outputDimensionality = 4 }) => ({
      values: Array.from({ length: outputDimensionality }, (_, at) => (JSON.stringify(content).length + at) / 64),
    }))
    return { body: { embeddings } }
  }
  if (!/:(stream)?[gG]enerateContent$/.test(path)) return refusal(404, 'NOT_FOUND', 'not found')
  const fault = faultOf(body as Body)
  return fault === undefined ? undefined : refusal(400, 'INVALID_ARGUMENT', fault)
}

function refusal(code: number, status: string, message: string, details: readonly object[] = []): Whole {
  return { status: code, body: { error: { code, message, status, ...(details.length > 0 && { details }) } } }
}

/** What the real one refuses: calls that came with a seal and come back without. */
function faultOf({ contents, generationConfig }: Body): string | undefined {
  if (contents.some(({ role }) => role !== undefined && role !== 'user' && role !== 'model')) {
    return 'Please use a valid role: user, model.'
  }
  if (!generationConfig?.thinkingConfig?.includeThoughts) return undefined
  const calls = contents.flatMap(({ parts }) => parts.filter(({ functionCall }) => functionCall !== undefined))
  const first = calls[0]
  return first && first['thoughtSignature'] !== seal ? 'Function call is missing a thought_signature' : undefined
}

function resultText({ functionResponse }: Part): string {
  const { response } = functionResponse as { response: Record<string, unknown> }
  const said = response['result'] ?? response['output'] ?? response
  return typeof said === 'string' ? said : JSON.stringify(said)
}

function imageOf({ mimeType, data }: Part): string {
  return `data:${String(mimeType)};base64,${String(data)}`.slice(0, 40)
}

function modelOf(path: string): string {
  return /\/models\/([^:/]+)/.exec(path)?.[1] ?? ''
}

function presentPlan(plan: Plan, pieces: readonly Piece[], isLast: boolean): object {
  const parts = pieces.map((piece) => presentPiece(piece, plan))
  const finish = plan.finish === 'length' ? 'MAX_TOKENS' : 'STOP'
  const candidate = { content: { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' }, index: 0 }
  return {
    candidates: [isLast ? { ...candidate, finishReason: finish } : candidate],
    ...(plan.usage && { usageMetadata: usageOf(plan.usage) }),
    modelVersion: plan.model,
    responseId: plan.id,
  }
}

function presentPiece(piece: Piece, { pieces }: Plan): object {
  if (piece.kind === 'thought') return { text: piece.text, thought: true }
  if (piece.kind === 'text') return { text: piece.text }
  const hasThought = pieces.some(({ kind }) => kind === 'thought')
  const isFirst = pieces.find(({ kind }) => kind === 'call') === piece
  const call = { name: piece.name, args: JSON.parse(piece.arguments) as unknown }
  return { functionCall: call, ...(hasThought && isFirst && { thoughtSignature: seal }) }
}

function usageOf({ input, output, thoughts }: NonNullable<Plan['usage']>): object {
  return {
    ...{ promptTokenCount: input, candidatesTokenCount: output - thoughts, totalTokenCount: input + output },
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  }
}

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
