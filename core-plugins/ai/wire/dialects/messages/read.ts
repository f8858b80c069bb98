import { fieldFault } from '../../faults.ts'
import { listAt, Members, nameAt, objectAt, present, textAt, type JsonObject } from '../../json.ts'
import type { NeutralFormat, NeutralMessage, NeutralRequest, NeutralThinking, NeutralTool } from '../../neutral.ts'
import { hasForeignThoughts } from '../../seals.ts'
import { readMessages, readTexts } from './read-messages.ts'

/** What this dialect names; everything else is passed on as it is. */
const named: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'max_tokens', 'system', 'tools', 'tool_choice', 'stop_sequences', 'temperature', 'top_p'],
  ...['top_k', 'thinking', 'metadata', 'stream', 'output_config'],
])

/** Reads the body of a `POST /v1/messages`. */
export function readMessagesBody(value: unknown): NeutralRequest {
  const body = objectAt(value, 'body')
  if (body['max_tokens'] === undefined) throw fieldFault('max_tokens', 'is required')
  return readPrompt(body)
}

/** Reads what `count_tokens` has in common with it. */
export function readPrompt(body: JsonObject): NeutralRequest {
  const members = new Members(body)
  const system = body['system']
  const said = readMessages(listAt(body['messages'], 'messages'))
  const instructions: readonly NeutralMessage[] =
    system === undefined || system === null ? [] : [{ role: 'system', parts: readTexts(system, 'system') }]
  const messages = [...instructions, ...said]
  const tools = members.list('tools')?.map(readTool)
  const choice = members.object('tool_choice')
  const metadata = members.object('metadata')
  const output = members.object('output_config')
  return present({
    model: nameAt(body['model'], 'model'),
    ...{ messages, tools },
    toolChoice: choice && readToolChoice(choice),
    parallelToolCalls: choice?.['disable_parallel_tool_use'] === true ? false : undefined,
    format: output && readFormat(output),
    maxOutputTokens: members.integer('max_tokens', 1),
    temperature: members.number('temperature', 0, 1),
    topP: members.number('top_p', 0, 1),
    topK: members.integer('top_k', 0),
    stop: members.list('stop_sequences')?.map((each, at) => textAt(each, `stop_sequences[${at}]`)),
    reasoning: readThinking(members.object('thinking'), output),
    user: metadata && new Members(metadata, 'metadata').text('user_id'),
    metadata: metadata && Object.keys(metadata).some((name) => name !== 'user_id') ? metadata : undefined,
    stream: members.flag('stream') ?? false,
    includeUsage: true,
    extra: {
      ...Object.fromEntries(Object.entries(body).filter(([name]) => !named.has(name))),
      ...(output && Object.keys(output).some((name) => name !== 'format') && { output_config: output }),
    },
    // Thoughts that another vendor sealed are not what Anthropic takes: then the messages are written anew.
    source: {
      ...{ wire: 'messages', body, tools },
      messages: hasForeignThoughts(said, 'anthropic') ? [] : messages,
    },
  })
}

function readTool(value: unknown, at: number): NeutralTool {
  const path = `tools[${at}]`
  const tool = objectAt(value, path)
  const members = new Members(tool, path)
  const type = members.text('type') ?? 'custom'
  if (type !== 'custom') throw fieldFault(`${path}.type`, `${type} is run by its vendor and not offered here`)
  return present({
    name: nameAt(tool['name'], `${path}.name`),
    description: members.text('description'),
    schema: objectAt(tool['input_schema'], `${path}.input_schema`),
    strict: members.flag('strict'),
    cache: tool['cache_control'],
  })
}

function readToolChoice({ type, name }: JsonObject): NeutralRequest['toolChoice'] {
  if (type === 'auto' || type === 'none') return type
  if (type === 'any') return 'required'
  if (type === 'tool') return { name: nameAt(name, 'tool_choice.name') }
  throw fieldFault('tool_choice.type', 'must be auto, any, tool or none')
}

function readThinking(thinking: JsonObject | undefined, output: JsonObject | undefined): NeutralThinking | undefined {
  const effort = output && new Members(output, 'output_config').text('effort')
  const own = effort === undefined ? {} : { effort }
  if (!thinking) return undefined
  const { type } = thinking
  if (type === 'disabled') return { off: true }
  if (type === 'adaptive') return own
  if (type !== 'enabled') throw fieldFault('thinking.type', 'must be enabled, adaptive or disabled')
  const budgetTokens = new Members(thinking, 'thinking').integer('budget_tokens', 1)
  if (budgetTokens === undefined) throw fieldFault('thinking.budget_tokens', 'is required')
  return { ...own, budgetTokens }
}

function readFormat(output: JsonObject): NeutralFormat | undefined {
  const format = new Members(output, 'output_config').object('format')
  if (!format) return undefined
  if (format['type'] !== 'json_schema') throw fieldFault('output_config.format.type', 'must be json_schema')
  return { type: 'json_schema', name: 'answer', schema: objectAt(format['schema'], 'output_config.format.schema') }
}
