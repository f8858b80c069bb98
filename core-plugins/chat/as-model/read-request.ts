import type { AppError } from '#kernel'
import type { NeutralMessage, NeutralRequest } from '../../ai/contract.ts'
import { AgentRequestError } from '../errors.ts'

/** What changes the meaning of an answer, and an agent decides itself. */
const refused = { tools: 'tools', toolChoice: 'tool_choice', format: 'response_format' } as const
/** What an agent decides itself, without harm to the meaning. */
const dropped = {
  ...{ topP: 'top_p', topK: 'top_k', stop: 'stop', seed: 'seed', presencePenalty: 'presence_penalty' },
  ...{ frequencyPenalty: 'frequency_penalty', logprobs: 'logprobs', topLogprobs: 'top_logprobs' },
  ...{ reasoning: 'reasoning', parallelToolCalls: 'parallel_tool_calls' },
} as const

/** What a client asks an agent. Throws 400/4002 for what an agent cannot be told. */
export function readRequest(request: NeutralRequest): {
  readonly messages: readonly NeutralMessage[]
  readonly dropped: readonly string[]
} {
  for (const [field, name] of entries(refused)) if (request[field] !== undefined) throw fault(name)
  const isToolTalk = request.messages.some(
    ({ role, parts }) => role === 'tool' || parts.some(({ type }) => type === 'tool_call' || type === 'tool_result'),
  )
  if (isToolTalk) throw fault('messages')
  const left = entries(dropped).flatMap(([field, name]) => (request[field] === undefined ? [] : [name]))
  return { messages: request.messages.map(asUser), dropped: [...left, ...Object.keys(request.extra)] }
}

/** An agent has its own instructions: those of a client are words of its user. */
function asUser(message: NeutralMessage): NeutralMessage {
  const { role } = message
  return role === 'system' || role === 'developer' ? { ...message, role: 'user' } : message
}

function fault(field: string): AppError {
  return new AgentRequestError(
    { field },
    { errors: [{ field, rule: 'agent_decides', message: 'is for the agent to say' }] },
  )
}

function entries<T extends object>(table: T): readonly (readonly [keyof T, T[keyof T]])[] {
  return Object.entries(table) as unknown as readonly (readonly [keyof T, T[keyof T]])[]
}
