import { fieldFault } from '../../faults.ts'
import { isObject, listAt, Members, nameAt, objectAt, present, type JsonObject } from '../../json.ts'
import type { NeutralFormat, NeutralRequest, NeutralTool } from '../../neutral.ts'
import { hasForeignThoughts } from '../../seals.ts'
import { readMessages } from './read-messages.ts'

/** What this dialect names; everything else is passed on as it is. */
const named: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'max_tokens', 'n'],
  ...[
    'max_completion_tokens',
    'temperature',
    'top_p',
    'top_k',
    'stop',
    'seed',
    'presence_penalty',
    'frequency_penalty',
  ],
  ...['logprobs', 'top_logprobs', 'reasoning_effort', 'user', 'metadata', 'stream', 'stream_options'],
])

/** Reads the body of a `POST /v1/chat/completions`. */
export function readChatCompletions(value: unknown): NeutralRequest {
  const body = objectAt(value, 'body')
  const members = new Members(body)
  const n = members.integer('n', 1)
  if (n !== undefined && n !== 1) throw fieldFault('n', 'only one answer is made to a request')
  const messages = readMessages(listAt(body['messages'], 'messages'))
  const tools = members.list('tools')?.map(readTool)
  return present({
    model: nameAt(body['model'], 'model'),
    ...{ messages, tools },
    toolChoice: readToolChoice(body['tool_choice']),
    parallelToolCalls: members.flag('parallel_tool_calls'),
    format: readFormat(members.object('response_format')),
    maxOutputTokens: members.integer('max_completion_tokens', 1) ?? members.integer('max_tokens', 1),
    temperature: members.number('temperature', 0, 2),
    topP: members.number('top_p', 0, 1),
    topK: members.integer('top_k'),
    stop: readStop(body['stop']),
    seed: members.integer('seed'),
    presencePenalty: members.number('presence_penalty', -2, 2),
    frequencyPenalty: members.number('frequency_penalty', -2, 2),
    logprobs: members.flag('logprobs'),
    topLogprobs: members.integer('top_logprobs', 0, 20),
    reasoning: readReasoning(members.text('reasoning_effort')),
    user: members.text('user'),
    metadata: members.object('metadata'),
    stream: members.flag('stream') ?? false,
    includeUsage: new Members(members.object('stream_options') ?? {}, 'stream_options').flag('include_usage') ?? false,
    extra: Object.fromEntries(Object.entries(body).filter(([name]) => !named.has(name))),
    // Thoughts of another vendor are nothing that this wire takes: then the messages are written anew.
    source: {
      ...{ wire: 'chat_completions', body, tools },
      messages: hasForeignThoughts(messages, 'openai_compatible') ? [] : messages,
    },
  })
}

function readTool(value: unknown, at: number): NeutralTool {
  const path = `tools[${at}]`
  const tool = objectAt(value, path)
  if (tool['type'] !== 'function') throw fieldFault(`${path}.type`, 'must be function')
  const own = objectAt(tool['function'], `${path}.function`)
  const members = new Members(own, `${path}.function`)
  return present({
    name: nameAt(own['name'], `${path}.function.name`),
    description: members.text('description'),
    schema: members.object('parameters') ?? { type: 'object', properties: {} },
    strict: members.flag('strict'),
    cache: tool['cache_control'],
  })
}

function readToolChoice(value: unknown): NeutralRequest['toolChoice'] {
  if (value === undefined || value === null) return undefined
  if (value === 'auto' || value === 'none' || value === 'required') return value
  if (!isObject(value) || value['type'] !== 'function') {
    throw fieldFault('tool_choice', 'must be auto, none, required or name a function')
  }
  return { name: nameAt(objectAt(value['function'], 'tool_choice.function')['name'], 'tool_choice.function.name') }
}

function readFormat(format: JsonObject | undefined): NeutralFormat | undefined {
  if (format === undefined || format['type'] === 'text') return undefined
  if (format['type'] === 'json_object') return { type: 'json_object' }
  if (format['type'] !== 'json_schema') {
    throw fieldFault('response_format.type', 'must be text, json_object or json_schema')
  }
  const path = 'response_format.json_schema'
  const own = objectAt(format['json_schema'], path)
  const members = new Members(own, path)
  return present({
    type: 'json_schema' as const,
    name: nameAt(own['name'], `${path}.name`),
    schema: objectAt(own['schema'] ?? {}, `${path}.schema`),
    strict: members.flag('strict'),
    description: members.text('description'),
  })
}

function readStop(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  const list = typeof value === 'string' ? [value] : listAt(value, 'stop')
  if (list.every((text) => typeof text === 'string')) return list
  throw fieldFault('stop', 'must be a text or a list of texts')
}

function readReasoning(effort: string | undefined): NeutralRequest['reasoning'] {
  if (effort === undefined) return undefined
  return effort === 'none' ? { off: true } : { effort }
}
