import { cannotCarry } from '../../faults.ts'
import { present } from '../../json.ts'
import type { NeutralFormat, NeutralRequest, NeutralTool } from '../../neutral.ts'
import type { ChatOptions } from '../../vendor.ts'
import { cacheMarks } from '../extras.ts'
import { effortOf } from './effort.ts'
import { writeOpenAiMessages } from './messages.ts'

/** In what those who speak this wire differ. */
export interface OpenAiVariant {
  readonly authorization: 'bearer' | 'api-key'
  /** Where a server knows one name of the output limit alone. */
  readonly maxTokensField?: 'max_tokens'
}

/** What responses have in common with this wire beside what has a neutral word. */
const shared: ReadonlySet<string> = new Set([
  ...['service_tier', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier', 'verbosity'],
])

/** A request as the body of a `POST /chat/completions`, and what it leaves out. */
export function writeOpenAiRequest(
  request: NeutralRequest,
  { upstreamModel, maxOutputTokens }: ChatOptions,
  variant: OpenAiVariant,
): { readonly body: string; readonly dropped: readonly string[] } {
  const { source, extra, tools, stream } = request
  const isOwn = source?.wire === 'chat_completions'
  const isAkin = isOwn || source?.wire === 'responses'
  const takes = (name: string): boolean => isOwn || (isAkin && shared.has(name))
  const dropped = new Set(Object.keys(extra).filter((name) => !takes(name)))
  if (!isOwn) for (const mark of cacheMarks(request)) dropped.add(mark)
  const messages =
    isOwn && source.messages === request.messages
      ? source.body['messages']
      : writeOpenAiMessages(request.messages, (field) => dropped.add(field))
  const body = present({
    ...Object.fromEntries(Object.entries(extra).filter(([name]) => takes(name))),
    ...{ model: upstreamModel, messages },
    tools: isOwn && source.tools === tools ? (source.body['tools'] ?? undefined) : tools?.map(writeTool),
    tool_choice: writeToolChoice(request.toolChoice),
    parallel_tool_calls: tools && request.parallelToolCalls,
    response_format: request.format && writeFormat(request.format),
    [maxTokensField(request, variant)]: maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    stop: request.stop,
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logprobs: request.logprobs,
    top_logprobs: request.topLogprobs,
    reasoning_effort: request.reasoning && effortOf(request.reasoning),
    user: request.user,
    metadata: isAkin ? request.metadata : undefined,
    stream: stream || undefined,
    stream_options: stream ? streamOptions(request) : undefined,
  })
  if (!isAkin && request.metadata) dropped.add('metadata')
  return { body: JSON.stringify(body), dropped: [...dropped] }
}

/** A client that uses the older name knows that its model takes it. */
function maxTokensField({ source }: NeutralRequest, { maxTokensField: only }: OpenAiVariant): string {
  const asked = source?.wire === 'chat_completions' ? source.body : {}
  const usesOlder = asked['max_tokens'] !== undefined && asked['max_completion_tokens'] === undefined
  return only ?? (usesOlder ? 'max_tokens' : 'max_completion_tokens')
}

/** Usage is always asked for; what else the client asked of its stream stays. */
function streamOptions({ source }: NeutralRequest): object {
  const own = source?.wire === 'chat_completions' ? source.body['stream_options'] : undefined
  return { ...(typeof own === 'object' ? own : {}), include_usage: true }
}

function writeTool({ name, description, schema, strict }: NeutralTool): object {
  return { type: 'function', function: present({ name, description, parameters: schema, strict }) }
}

function writeToolChoice(choice: NeutralRequest['toolChoice']): unknown {
  return typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : choice
}

function writeFormat(format: NeutralFormat): object {
  if (format.type === 'json_object') return format
  const { name, schema, strict, description } = format
  if (!/^[\w-]{1,64}$/.test(name)) throw cannotCarry('format.name', 'at most 64 letters, digits, _ and -')
  return { type: 'json_schema', json_schema: present({ name, description, schema, strict }) }
}
