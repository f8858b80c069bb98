import Anthropic from '@anthropic-ai/sdk'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, streamText, tool, type ModelMessage, type ToolSet } from 'ai'
import OpenAI from 'openai'

/** What a model answered: a call it asks for, or what it says. */
export interface Turn {
  readonly callId?: string
  readonly text: string
  readonly thought: string
}

/** One conversation as a client leads it: with a tool `look` and thoughts, each answer given back as it came. */
export interface Conversation {
  say(text: string): Promise<Turn>
  result(callId: string, text: string): Promise<Turn>
}

type Begin = (url: string, model: string) => Conversation

const parameters = { type: 'object' as const, properties: { about: { type: 'string' as const } }, required: ['about'] }

/** Official clients, each by what it asks with. */
export const clients: Readonly<Record<string, Begin>> = {
  'openai: chat': (url, model) => chat(url, model, false),
  'openai: chat, streamed': (url, model) => chat(url, model, true),
  'openai: responses': (url, model) => responses(url, model, { streams: false, goesOn: false }),
  'openai: responses, streamed': (url, model) => responses(url, model, { streams: true, goesOn: false }),
  'openai: responses that were kept': (url, model) => responses(url, model, { streams: false, goesOn: true }),
  'openai: responses that were kept, streamed': (url, model) => responses(url, model, { streams: true, goesOn: true }),
  'anthropic: messages': (url, model) => messages(url, model, false),
  'anthropic: messages, streamed': (url, model) => messages(url, model, true),
  'ai: text': (url, model) => aiSdk(url, model, false),
  'ai: text, streamed': (url, model) => aiSdk(url, model, true),
}

function chat(url: string, model: string, streams: boolean): Conversation {
  const openai = new OpenAI({ apiKey: 'sk-all', baseURL: `${url}/v1`, maxRetries: 0 })
  const said: OpenAI.ChatCompletionMessageParam[] = []
  const tools = [{ type: 'function' as const, function: { name: 'look', parameters } }]
  async function ask(message: OpenAI.ChatCompletionMessageParam): Promise<Turn> {
    said.push(message)
    const asked = { model, messages: said, tools, reasoning_effort: 'low' as const, max_tokens: 3_000 }
    let thought = ''
    const stream = streams ? openai.chat.completions.stream(asked) : undefined
    // Of members that OpenAI itself does not have the helper keeps the last piece.
    stream?.on('chunk', ({ choices: [choice] }) => (thought += thoughtOf(choice?.delta)))
    const answer = stream
      ? await stream.finalMessage()
      : (await openai.chat.completions.create(asked)).choices[0]?.message
    if (!answer) throw new Error('there is no message')
    said.push(answer)
    const call = answer.tool_calls?.[0]
    if (!stream) thought = thoughtOf(answer)
    return { text: answer.content ?? '', thought, ...(call && { callId: call.id }) }
  }
  return {
    say: (content) => ask({ role: 'user', content }),
    result: (id, content) => ask({ role: 'tool', tool_call_id: id, content }),
  }
}

function thoughtOf(said: unknown): string {
  return (said as { reasoning_content?: string } | undefined)?.reasoning_content ?? ''
}

function responses(
  url: string,
  model: string,
  how: { readonly streams: boolean; readonly goesOn: boolean },
): Conversation {
  const openai = new OpenAI({ apiKey: 'sk-all', baseURL: `${url}/v1`, maxRetries: 0 })
  const said: OpenAI.Responses.ResponseInput = []
  let previous: string | undefined
  const tools = [{ type: 'function' as const, name: 'look', parameters, strict: false }]
  async function ask(item: OpenAI.Responses.ResponseInputItem): Promise<Turn> {
    said.push(item)
    const asked = {
      ...{ model, tools, input: how.goesOn ? [item] : said, max_output_tokens: 3_000 },
      ...{ reasoning: { effort: 'low' as const, summary: 'auto' as const }, store: how.goesOn },
      ...(how.goesOn && previous !== undefined && { previous_response_id: previous }),
    }
    const answer: OpenAI.Responses.Response = how.streams
      ? await openai.responses.stream(asked).finalResponse()
      : await openai.responses.create(asked)
    previous = answer.id
    said.push(...(answer.output as OpenAI.Responses.ResponseInput))
    const call = answer.output.find((each) => each.type === 'function_call')
    const thoughts = answer.output.flatMap((each) => (each.type === 'reasoning' ? each.summary : []))
    const thought = thoughts.map(({ text }) => text).join('')
    return { text: answer.output_text, thought, ...(call && { callId: call.call_id }) }
  }
  return {
    say: (content) => ask({ role: 'user', content }),
    result: (id, output) => ask({ type: 'function_call_output', call_id: id, output }),
  }
}

function messages(url: string, model: string, streams: boolean): Conversation {
  const claude = new Anthropic({ apiKey: 'sk-all', baseURL: url, maxRetries: 0 })
  const said: Anthropic.MessageParam[] = []
  const tools = [{ name: 'look', input_schema: parameters }]
  async function ask(content: Anthropic.MessageParam['content']): Promise<Turn> {
    said.push({ role: 'user', content })
    const thinking = { type: 'enabled' as const, budget_tokens: 1_024 }
    const asked = { model, messages: said, tools, thinking, max_tokens: 3_000 }
    const answer = streams ? await claude.messages.stream(asked).finalMessage() : await claude.messages.create(asked)
    said.push({ role: 'assistant', content: answer.content })
    const call = answer.content.find((block) => block.type === 'tool_use')
    const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    const thought = answer.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
    return { text, thought, ...(call && { callId: call.id }) }
  }
  return {
    say: ask,
    result: (id, content) => ask([{ type: 'tool_result', tool_use_id: id, content }]),
  }
}

function aiSdk(url: string, model: string, streams: boolean): Conversation {
  // Under this name it gives the signatures of Gemini's calls back.
  const provider = createOpenAICompatible({ name: 'google', baseURL: `${url}/v1`, apiKey: 'sk-all' })
  const said: ModelMessage[] = []
  const tools: ToolSet = { look: tool({ inputSchema: jsonSchema(parameters) }) }
  async function ask(message: ModelMessage): Promise<Turn> {
    said.push(message)
    const providerOptions = { google: { reasoningEffort: 'low' } }
    const asked = { model: provider(model), messages: said, tools, providerOptions, maxRetries: 0 }
    const run = streams ? streamText({ ...asked, onError: () => undefined }) : await generateText(asked)
    const [response, calls] = [await run.response, await run.toolCalls]
    said.push(...response.messages)
    const call = calls[0]
    return { text: await run.text, thought: (await run.reasoningText) ?? '', ...(call && { callId: call.toolCallId }) }
  }
  return {
    say: (content) => ask({ role: 'user', content }),
    result: (toolCallId, value) =>
      ask({
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName: 'look', output: { type: 'text', value } }],
      }),
  }
}
