import { present, type JsonObject } from '../../../json.ts'
import type { NeutralFormat, NeutralRequest, NeutralTool } from '../../../neutral.ts'
import type { ChatOptions } from '../../../vendor.ts'
import { cacheMarks } from '../../extras.ts'
import { effortOf } from '../effort.ts'
import { writeItems } from './write-items.ts'

const encrypted = 'reasoning.encrypted_content'

/**
 * A request as the body of a `POST /responses`, and what it leaves out. Nothing is stored there: what a client goes on with is kept here,
 * and what the model thought goes along encrypted.
 */
export function writeResponsesRequest(
  request: NeutralRequest,
  { upstreamModel, maxOutputTokens, capabilities }: ChatOptions,
): { readonly body: string; readonly dropped: readonly string[] } {
  const { source, tools, stream, extra } = request
  const own = source?.wire === 'responses' ? source : undefined
  const dropped = new Set(own ? [] : [...Object.keys(extra), ...cacheMarks(request), ...unknownTo(request)])
  const isAsItCame = own?.messages === request.messages
  const body = present({
    ...(own && extraOf(extra)),
    model: upstreamModel,
    instructions: isAsItCame ? (own.body['instructions'] ?? undefined) : undefined,
    input: isAsItCame ? own.body['input'] : writeItems(request.messages, (field) => dropped.add(field)),
    tools: own?.tools === tools ? (own?.body['tools'] ?? undefined) : tools?.map(writeTool),
    tool_choice: writeToolChoice(request.toolChoice),
    parallel_tool_calls: tools && request.parallelToolCalls,
    text: textOf(request),
    max_output_tokens: maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_logprobs: request.topLogprobs,
    include: includeOf(request, capabilities?.['reasoning'] === true),
    reasoning: reasoningOf(request),
    user: request.user,
    metadata: own && request.metadata,
    ...{ store: false, stream: stream || undefined },
  })
  return { body: JSON.stringify(body), dropped: [...dropped] }
}

/** Words of other dialects that this wire has none for. */
function unknownTo({ topK, seed, presencePenalty, frequencyPenalty, metadata }: NeutralRequest): readonly string[] {
  const values = { top_k: topK, seed, presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty, metadata }
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** Its verbosity stands within `text`. */
function extraOf(extra: NeutralRequest['extra']): JsonObject {
  return Object.fromEntries(Object.entries(extra).filter(([name]) => name !== 'verbosity'))
}

function textOf({ source, format, extra }: NeutralRequest): JsonObject | undefined {
  const own = source?.wire === 'responses' ? source.body['text'] : undefined
  const rest = typeof own === 'object' ? own : {}
  const verbosity = extra['verbosity']
  const text = present({ ...rest, format: format && writeFormat(format), verbosity })
  return Object.keys(text).length === 0 ? undefined : text
}

function includeOf(
  { source, reasoning, messages }: NeutralRequest,
  isThinking: boolean,
): readonly unknown[] | undefined {
  const own = source?.wire === 'responses' ? source.body['include'] : undefined
  const asked: readonly unknown[] = Array.isArray(own) ? own : []
  const thinks = isThinking || (reasoning !== undefined && !reasoning.off) || hasThought(messages)
  if (!thinks || asked.includes(encrypted)) return asked.length === 0 ? undefined : asked
  return [...asked, encrypted]
}

function hasThought(messages: NeutralRequest['messages']): boolean {
  return messages.some(({ parts }) => parts.some((part) => part.type === 'reasoning' && part.vendor === 'openai'))
}

/** Summaries are asked for where the dialect shows what was thought. */
function reasoningOf({ source, reasoning }: NeutralRequest): JsonObject | undefined {
  if (!reasoning) return undefined
  const own = source?.wire === 'responses' ? source.body['reasoning'] : undefined
  const rest = typeof own === 'object' ? own : {}
  const summary = reasoning.summary ?? (source?.wire === 'messages' && !reasoning.off ? 'auto' : undefined)
  return present({ ...rest, effort: effortOf(reasoning), summary })
}

function writeTool({ name, description, schema, strict = false }: NeutralTool): JsonObject {
  return present({ type: 'function', name, description, parameters: schema, strict })
}

function writeToolChoice(choice: NeutralRequest['toolChoice']): unknown {
  return typeof choice === 'object' ? { type: 'function', name: choice.name } : choice
}

function writeFormat(format: NeutralFormat): JsonObject {
  if (format.type === 'json_object') return { type: 'json_object' }
  const { name, schema, strict, description } = format
  return present({ type: 'json_schema', name, schema, strict, description })
}
