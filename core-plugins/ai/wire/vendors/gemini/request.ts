import { present, type JsonObject } from '../../json.ts'
import type { NeutralFormat, NeutralRequest, NeutralThinking, NeutralTool } from '../../neutral.ts'
import { cacheMarks, foreignExtras } from '../extras.ts'
import { writeContents, writeSystem } from './contents.ts'

/** A request as the body of a `generateContent`, and what it leaves out. */
export function writeGeminiRequest(
  request: NeutralRequest,
  maxOutputTokens: number,
): { readonly body: string; readonly dropped: readonly string[] } {
  const { tools, user, parallelToolCalls, seed } = request
  const dropped = new Set([...foreignExtras(request), ...cacheMarks(request)])
  const drop = (field: string): void => void dropped.add(field)
  // This vendor has a word for it.
  if (seed !== undefined) dropped.delete('seed')
  if (user !== undefined) drop('user')
  if (parallelToolCalls === false) drop('parallel_tool_calls')
  if (tools?.some(({ strict }) => strict)) drop('tools.strict')
  const body = present({
    systemInstruction: writeSystem(request.messages),
    contents: writeContents(request.messages, drop),
    tools: tools && tools.length > 0 ? [{ functionDeclarations: tools.map(writeTool) }] : undefined,
    toolConfig: tools && writeToolChoice(request.toolChoice),
    generationConfig: present({
      maxOutputTokens,
      temperature: request.temperature,
      topP: request.topP,
      topK: request.topK,
      stopSequences: request.stop && request.stop.length > 0 ? request.stop : undefined,
      seed,
      presencePenalty: request.presencePenalty,
      frequencyPenalty: request.frequencyPenalty,
      ...writeFormat(request.format),
      thinkingConfig: request.reasoning && writeThinking(request.reasoning),
    }),
  })
  return { body: JSON.stringify(body), dropped: [...dropped] }
}

function writeTool({ name, description, schema }: NeutralTool): JsonObject {
  return present({ name, description, parametersJsonSchema: schema })
}

function writeToolChoice(choice: NeutralRequest['toolChoice']): JsonObject | undefined {
  if (choice === undefined) return undefined
  if (typeof choice === 'object') {
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.name] } }
  }
  return { functionCallingConfig: { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice] } }
}

function writeFormat(format: NeutralFormat | undefined): JsonObject {
  if (!format) return {}
  const type = { responseMimeType: 'application/json' }
  return format.type === 'json_schema' ? { ...type, responseJsonSchema: format.schema } : type
}

/** Efforts as budgets, as Google publishes them for its OpenAI-compatible interface. */
const budgets: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
}

function writeThinking({ off, effort, budgetTokens }: NeutralThinking): JsonObject {
  if (off) return { thinkingBudget: 0 }
  const thinkingBudget = budgetTokens ?? (effort === undefined ? undefined : budgets[effort])
  return present({ includeThoughts: true, thinkingBudget })
}
