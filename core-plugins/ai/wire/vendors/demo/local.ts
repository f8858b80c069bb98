import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoVector } from './demo-vector.ts'
import { isObject } from '../../json.ts'
import type {
  NeutralEmbeddingRequest,
  NeutralEmbeddings,
  NeutralEvent,
  NeutralMessage,
  NeutralPart,
  NeutralRequest,
  NeutralTool,
} from '../../neutral.ts'
import { demoJson } from './json-answers.ts'
import type { ChatOptions } from '../../vendor.ts'

const defaultDimensions = 256
const titleWords = 6
/** As fast as a model that is quick. */
const wordMs = 8

/** Answers in words, one after the other, or asks for a tool that was named. */
export async function* streamDemo(
  request: NeutralRequest,
  { upstreamModel, maxOutputTokens }: ChatOptions,
  signal: AbortSignal,
): AsyncGenerator<NeutralEvent> {
  yield { type: 'start', id: `demo-${randomUUID()}`, model: upstreamModel }
  const inputTokens = tokensOf(
    request.messages
      .flatMap(({ parts }) => parts)
      .map(textOf)
      .join('\n'),
  )
  const said: string[] = []
  const call = callOf(request)
  const words = answerOf(request, call).match(/\s*\S+/g) ?? []
  const isCut = words.length > maxOutputTokens
  for (const word of words.slice(0, maxOutputTokens)) {
    if (request.stream) await sleep(wordMs, undefined, { signal })
    said.push(word)
    yield { type: 'text', text: word }
  }
  if (call && !isCut) {
    said.push(call.arguments)
    yield { type: 'tool_call', index: 0, id: `call_${randomUUID().replaceAll('-', '')}`, ...call }
  }
  const outputTokens = Math.min(maxOutputTokens, Math.max(1, said.length))
  const none = { cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }
  yield { type: 'usage', usage: { inputTokens, outputTokens, ...none } }
  yield { type: 'finish', reason: isCut ? 'length' : call ? 'tool_calls' : 'stop' }
}

/** Vectors of length 1, the same for the same text. */
export function embedDemo({ input, dimensions = defaultDimensions }: NeutralEmbeddingRequest): NeutralEmbeddings {
  const texts = input.map((each) => (typeof each === 'string' ? each : each.join(' ')))
  const inputTokens = texts.reduce((sum, text) => sum + tokensOf(text), 0)
  const none = { cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  return { vectors: texts.map((text) => demoVector(text, dimensions)), usage: { inputTokens, ...none } }
}

function answerOf({ messages, format }: NeutralRequest, call: object | undefined): string {
  if (format) return JSON.stringify(demoJson(format, messages.at(-1)?.parts.map(textOf).join(' ') ?? ''))
  const head = 'This is a demo model, without a provider behind it.'
  if (call) return `${head} It asks for the tool that you named.`
  const last = messages.at(-1)
  const title = titleFrom(messages)
  if (title !== undefined) return title
  const result = last?.parts.find((part) => part.type === 'tool_result')
  if (result) return `${head} The tool answered: ${result.parts.map(textOf).join(' ')}`
  const said = `${head} You said: ${last?.parts.map(textOf).join(' ') ?? ''}`
  const source = sourceOf(messages)
  return source ? `${said}\nA source says: ${source.text} [${source.number}]` : said
}

/** The first words of a conversation, where it is to be named. */
function titleFrom(messages: NeutralRequest['messages']): string | undefined {
  const told =
    messages
      .find(({ role }) => role === 'system')
      ?.parts.map(textOf)
      .join(' ') ?? ''
  if (!told.includes('with a title of at most six words')) return undefined
  const said = messages.at(-1)?.parts.map(textOf).join('\n') ?? ''
  return /^user: (.+)/m.exec(said)?.[1]?.split(/\s+/).slice(0, titleWords).join(' ')
}

/** The first source that instructions carry, as agents with knowledge bases give them. */
function sourceOf(messages: NeutralRequest['messages']): { number: string; text: string } | undefined {
  const told = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts.map(textOf))
  const found = /<data name="source (\d+)">\n([^]*?)\n<\/data>/.exec(told.join('\n'))
  return found ? { number: found[1] ?? '', text: found[2]?.replace(/\s+/g, ' ') ?? '' } : undefined
}

/** A tool that must be called, or whose name stands in the last words of the user. */
function callOf({ messages, tools = [], toolChoice }: NeutralRequest): { name: string; arguments: string } | undefined {
  const last = messages.at(-1)
  const isResult = last?.parts.some(({ type }) => type === 'tool_result')
  if (!last || isResult || toolChoice === 'none') return undefined
  const text = last.parts.map(textOf).join(' ')
  const chosen = typeof toolChoice === 'object' ? toolChoice.name : undefined
  const tool =
    tools.find(({ name }) => name === chosen || (chosen === undefined && text.includes(name))) ??
    (toolChoice === 'required' ? tools[0] : undefined)
  return tool && { name: tool.name, arguments: JSON.stringify(argumentsFor(tool, last)) }
}

/** What the tool demands: the user's words for texts, the first that fits for the rest. */
function argumentsFor({ schema }: NeutralTool, { parts }: NeutralMessage): object {
  const { required, properties } = schema
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const fields = isObject(properties) ? properties : {}
  const text = parts.map(textOf).join(' ')
  return Object.fromEntries(names.map((name) => [name, valueFor(fields[name], text)]))
}

function valueFor(schema: unknown, text: string): unknown {
  const { type, enum: choices } = isObject(schema) ? schema : {}
  if (Array.isArray(choices)) return choices[0]
  if (type === 'number' || type === 'integer') return Number(/-?\d+/.exec(text)?.[0] ?? 0)
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : text
}

function textOf(part: NeutralPart): string {
  if (part.type === 'text') return part.text
  if (part.type === 'tool_result') return part.parts.map(textOf).join(' ')
  return part.type === 'image' || part.type === 'audio' || part.type === 'file' ? `[${part.type}]` : ''
}

/** Four characters are about a token. */
function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4))
}
