import { fieldFault } from '../../faults.ts'
import { isObject, Members, nameAt, objectAt, present, type JsonObject } from '../../json.ts'
import type { NeutralFormat, NeutralMessage, NeutralRequest, NeutralTool } from '../../neutral.ts'
import { hasForeignThoughts } from '../../seals.ts'
import { readInput } from './read-input.ts'

/** What this dialect names; everything else is passed on as it is. */
const named: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'text', 'max_output_tokens'],
  ...['temperature', 'top_p', 'top_logprobs', 'include', 'reasoning', 'user', 'metadata', 'stream', 'store'],
  ...['previous_response_id', 'background', 'truncation', 'conversation', 'prompt'],
])

/** Reads the body of a `POST /v1/responses`, without what was stored of earlier ones. */
export function readResponses(value: unknown): NeutralRequest {
  const body = objectAt(value, 'body')
  const members = new Members(body)
  refuseHosted(body, members)
  const instructions = members.text('instructions')
  const said = readInput(body['input'], 'input')
  const messages: readonly NeutralMessage[] = [...(instructions === undefined ? [] : [instruct(instructions)]), ...said]
  const tools = members.list('tools')?.map(readTool)
  const text = members.object('text') ?? {}
  const verbosity = new Members(text, 'text').text('verbosity')
  const include = members.list('include') ?? []
  const topLogprobs = members.integer('top_logprobs', 0, 20)
  return present({
    model: nameAt(body['model'], 'model'),
    ...{ messages, tools },
    toolChoice: readToolChoice(body['tool_choice']),
    parallelToolCalls: members.flag('parallel_tool_calls'),
    format: readFormat(new Members(text, 'text').object('format')),
    maxOutputTokens: members.integer('max_output_tokens', 1),
    temperature: members.number('temperature', 0, 2),
    topP: members.number('top_p', 0, 1),
    logprobs: include.includes('message.output_text.logprobs') || topLogprobs !== undefined ? true : undefined,
    topLogprobs,
    reasoning: readReasoning(members.object('reasoning')),
    user: members.text('user'),
    metadata: members.object('metadata'),
    stream: members.flag('stream') ?? false,
    includeUsage: true,
    extra: {
      ...Object.fromEntries(Object.entries(body).filter(([name, each]) => !named.has(name) && each !== null)),
      ...(verbosity !== undefined && { verbosity }),
    },
    // Thoughts that another vendor sealed are not what OpenAI takes: then the input is written anew.
    source: { wire: 'responses', body, messages: hasForeignThoughts(said, 'openai') ? [] : messages, tools },
  })
}

/** What instructions say. */
function instruct(text: string): NeutralMessage {
  return { role: 'system', parts: [{ type: 'text', text }] }
}

/** What only OpenAI itself can do. */
function refuseHosted(body: JsonObject, members: Members): void {
  if (members.flag('background')) throw fieldFault('background', 'answers are made while you wait')
  if (members.text('truncation') === 'auto') throw fieldFault('truncation', 'nothing is left out of a conversation')
  for (const name of ['conversation', 'prompt']) {
    if (body[name] !== undefined && body[name] !== null) throw fieldFault(name, 'is not offered here')
  }
}

function readTool(value: unknown, at: number): NeutralTool {
  const path = `tools[${at}]`
  const tool = objectAt(value, path)
  if (tool['type'] !== 'function') {
    throw fieldFault(`${path}.type`, `${String(tool['type'])} is hosted by its vendor and not offered here`)
  }
  const members = new Members(tool, path)
  return present({
    name: nameAt(tool['name'], `${path}.name`),
    description: members.text('description'),
    schema: members.object('parameters') ?? { type: 'object', properties: {} },
    strict: members.flag('strict'),
  })
}

function readToolChoice(value: unknown): NeutralRequest['toolChoice'] {
  if (value === undefined || value === null) return undefined
  if (value === 'auto' || value === 'none' || value === 'required') return value
  if (isObject(value) && value['type'] === 'function') return { name: nameAt(value['name'], 'tool_choice.name') }
  throw fieldFault('tool_choice', 'must be auto, none, required or name a function')
}

function readFormat(format: JsonObject | undefined): NeutralFormat | undefined {
  if (format === undefined || format['type'] === 'text') return undefined
  if (format['type'] === 'json_object') return { type: 'json_object' }
  if (format['type'] !== 'json_schema') throw fieldFault('text.format.type', 'must be text, json_object or json_schema')
  const members = new Members(format, 'text.format')
  return present({
    type: 'json_schema' as const,
    name: nameAt(format['name'], 'text.format.name'),
    schema: objectAt(format['schema'], 'text.format.schema'),
    strict: members.flag('strict'),
    description: members.text('description'),
  })
}

function readReasoning(reasoning: JsonObject | undefined): NeutralRequest['reasoning'] {
  if (!reasoning) return undefined
  const members = new Members(reasoning, 'reasoning')
  const effort = members.text('effort')
  if (effort === 'none') return { off: true }
  const summary = members.text('summary') ?? members.text('generate_summary')
  return effort === undefined && summary === undefined ? undefined : present({ effort, summary })
}
