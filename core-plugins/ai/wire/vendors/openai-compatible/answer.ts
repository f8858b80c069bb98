import { isObject, type JsonObject } from '../../json.ts'
import type { NeutralAnswer, NeutralPart } from '../../neutral.ts'
import { UpstreamFaultError, type ReadOptions } from '../../vendor.ts'
import { parseSaid, unreadable } from '../said.ts'
import { faultOfError } from './fault.ts'
import { readCallStep, readThought } from './parts.ts'
import { readFinish, readOpenAiUsage } from './usage.ts'

/** Reads a whole `chat.completion`; throws an UpstreamFaultError for what is none. */
export function readOpenAiAnswer(body: string, { frames = false }: ReadOptions = {}): NeutralAnswer {
  const answer = parseSaid(body)
  if (answer['error']) throw new UpstreamFaultError(faultOfError(0, answer['error']))
  const choice: unknown = Array.isArray(answer['choices']) ? answer['choices'][0] : undefined
  if (!isObject(choice) || !isObject(choice['message'])) throw unreadable('The answer has no message')
  const { id, model } = answer
  const reason = choice['finish_reason']
  return {
    id: typeof id === 'string' ? id : '',
    model: typeof model === 'string' ? model : '',
    parts: readMessage(choice['message']),
    finish: typeof reason === 'string' ? readFinish(reason) : 'stop',
    usage: readOpenAiUsage(answer['usage']),
    ...(isObject(choice['logprobs']) && { logprobs: choice['logprobs'] }),
    ...(frames && { frame: { wire: 'chat_completions', data: body } }),
  }
}

function readMessage(message: JsonObject): readonly NeutralPart[] {
  const { content, refusal, tool_calls: calls } = message
  return [
    ...readThought(message),
    ...(typeof content === 'string' && content !== '' ? [{ type: 'text' as const, text: content }] : []),
    ...(typeof refusal === 'string' && refusal !== '' ? [{ type: 'refusal' as const, text: refusal }] : []),
    ...(Array.isArray(calls) ? calls.filter(isObject).map(readCall) : []),
  ]
}

function readCall(call: JsonObject, at: number): NeutralPart {
  const { id = '', name = '', arguments: text = '', signature } = readCallStep(call, at)
  return { type: 'tool_call', id, name, arguments: text, ...(signature !== undefined && { signature }) }
}
