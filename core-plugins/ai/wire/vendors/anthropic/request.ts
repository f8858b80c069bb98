import { cannotCarry } from '../../faults.ts'
import { isObject, present } from '../../json.ts'
import type { NeutralRequest, NeutralTool } from '../../neutral.ts'
import type { ChatOptions } from '../../vendor.ts'
import { foreignExtras } from '../extras.ts'
import { writeAnthropicMessages, writeSystem } from './messages.ts'
import { writeThinking } from './thinking.ts'

/** A request as the body of a `POST /messages`, and what it leaves out. */
export function writeAnthropicRequest(
  request: NeutralRequest,
  { upstreamModel, maxOutputTokens }: ChatOptions,
): { readonly body: string; readonly dropped: readonly string[] } {
  const { source, tools, toolChoice } = request
  const isOwn = source?.wire === 'messages'
  const dropped = new Set(isOwn ? [] : foreignExtras(request))
  const drop = (field: string): void => void dropped.add(field)
  const thinking = writeThinking(request, maxOutputTokens)
  const thinks = thinking !== undefined && thinking['type'] !== 'disabled'
  if (thinks && (toolChoice === 'required' || typeof toolChoice === 'object')) {
    throw cannotCarry('tool_choice', 'a model that thinks chooses its tools itself')
  }
  const said =
    isOwn && source.messages === request.messages
      ? { system: source.body['system'] ?? undefined, messages: source.body['messages'] }
      : { system: writeSystem(request.messages), messages: writeAnthropicMessages(request.messages, thinks, drop) }
  if (request.presencePenalty !== undefined) drop('presence_penalty')
  if (request.frequencyPenalty !== undefined) drop('frequency_penalty')
  const body = present({
    ...(isOwn ? request.extra : {}),
    ...{ model: upstreamModel, max_tokens: maxOutputTokens, ...said, thinking },
    tools: isOwn && source.tools === tools ? (source.body['tools'] ?? undefined) : tools?.map(writeTool),
    tool_choice: tools && writeToolChoice(request),
    ...writeSampling(request, thinks, drop),
    stop_sequences: request.stop && request.stop.length > 0 ? request.stop : undefined,
    metadata: isOwn ? (source.body['metadata'] ?? undefined) : request.user && { user_id: request.user },
    stream: request.stream || undefined,
    ...writeOutput(request),
  })
  return { body: JSON.stringify(body), dropped: [...dropped] }
}

/** Anthropic takes neither `top_k` nor another temperature than its own from a model that thinks. */
function writeSampling(request: NeutralRequest, thinks: boolean, drop: (field: string) => void): object {
  const { temperature, topP, topK } = request
  if (temperature !== undefined && temperature > 1) throw cannotCarry('temperature', 'at most 1')
  if (!thinks) return { temperature, top_p: topP, top_k: topK }
  if (temperature !== undefined && temperature !== 1) drop('temperature')
  if (topK !== undefined) drop('top_k')
  if (topP !== undefined && topP < 0.95) drop('top_p')
  return { top_p: topP !== undefined && topP >= 0.95 ? topP : undefined }
}

function writeTool({ name, description, schema, strict, cache }: NeutralTool): object {
  return present({ name, description, input_schema: { type: 'object', ...schema }, strict, cache_control: cache })
}

function writeToolChoice({ toolChoice, parallelToolCalls }: NeutralRequest): object | undefined {
  const alone = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  if (toolChoice === undefined) return parallelToolCalls === false ? { type: 'auto', ...alone } : undefined
  if (toolChoice === 'none') return { type: 'none' }
  if (typeof toolChoice === 'object') return { type: 'tool', name: toolChoice.name, ...alone }
  return { type: toolChoice === 'required' ? 'any' : 'auto', ...alone }
}

/** Of a client of its own wire the rest of `output_config` stays. */
function writeOutput({ format, source }: NeutralRequest): object {
  if (!format) return {}
  if (format.type === 'json_object') throw cannotCarry('response_format', 'JSON needs a schema there: use json_schema')
  const own = source?.wire === 'messages' ? source.body['output_config'] : undefined
  return { output_config: { ...(isObject(own) && own), format: { type: 'json_schema', schema: format.schema } } }
}
