/** Something that clients say, in the words of each dialect that has some; members of the body. */
export interface Probe {
  readonly what: string
  readonly chat_completions?: object
  readonly responses?: object
  readonly messages?: object
}

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
const png = 'data:image/png;base64,AAAA'
const web = 'https://example.com/a.png'
const pdf = 'data:application/pdf;base64,AAAA'

function user(...content: readonly object[]): object {
  return { messages: [{ role: 'user', content }] }
}

function input(...content: readonly object[]): object {
  return { input: [{ role: 'user', content }] }
}

function source(more: object): object {
  return { type: 'image', source: more }
}

const chatTool = { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] }
const tool = { tools: [{ name: 'f', input_schema: schema }] }
const thought = { type: 'thinking', thinking: 'Hm', signature: 'sealed' }
const hi = { role: 'user', content: 'Hi' }

/** What the published table says of each pair. */
export const probes: readonly Probe[] = [
  {
    what: 'instructions',
    chat_completions: { messages: [{ role: 'system', content: 'Be brief' }, hi] },
    responses: { instructions: 'Be brief' },
    messages: { system: 'Be brief' },
  },
  {
    what: 'a picture in the request',
    chat_completions: user({ type: 'image_url', image_url: { url: png } }),
    responses: input({ type: 'input_image', image_url: png }),
    messages: user(source({ type: 'base64', media_type: 'image/png', data: 'AAAA' })),
  },
  {
    what: 'a picture by its address',
    chat_completions: user({ type: 'image_url', image_url: { url: web } }),
    responses: input({ type: 'input_image', image_url: web }),
    messages: user(source({ type: 'url', url: web })),
  },
  {
    what: 'a picture by the id of a file',
    responses: input({ type: 'input_image', file_id: 'file_1' }),
    messages: user(source({ type: 'file', file_id: 'file_1' })),
  },
  { what: 'sound', chat_completions: user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }) },
  {
    what: 'a PDF in the request',
    chat_completions: user({ type: 'file', file: { file_data: pdf, filename: 'a.pdf' } }),
    responses: input({ type: 'input_file', file_data: pdf, filename: 'a.pdf' }),
    messages: user({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }),
  },
  {
    what: 'tools',
    chat_completions: chatTool,
    responses: { tools: [{ type: 'function', name: 'f', parameters: schema }] },
    messages: tool,
  },
  {
    what: 'one call at a time',
    chat_completions: { ...chatTool, parallel_tool_calls: false },
    responses: { tools: [{ type: 'function', name: 'f', parameters: schema }], parallel_tool_calls: false },
    messages: { ...tool, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  },
  {
    what: 'a tool that its vendor runs',
    chat_completions: { tools: [{ type: 'web_search' }] },
    responses: { tools: [{ type: 'web_search' }] },
    messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  },
  {
    what: 'an answer in JSON',
    chat_completions: { response_format: { type: 'json_object' } },
    responses: { text: { format: { type: 'json_object' } } },
  },
  {
    what: 'an answer by a schema',
    chat_completions: { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
    responses: { text: { format: { type: 'json_schema', name: 'a', schema } } },
    messages: { output_config: { format: { type: 'json_schema', schema } } },
  },
  { what: 'a seed', chat_completions: { seed: 7 } },
  {
    what: 'log probabilities',
    chat_completions: { logprobs: true },
    responses: { include: ['message.output_text.logprobs'] },
  },
  { what: 'penalties', chat_completions: { presence_penalty: 1, frequency_penalty: 1 } },
  { what: 'a temperature above 1', chat_completions: { temperature: 1.5 }, responses: { temperature: 1.5 } },
  { what: 'where to stop', chat_completions: { stop: ['x'] }, messages: { stop_sequences: ['x'] } },
  {
    what: 'whose request it is',
    chat_completions: { user: 'u' },
    responses: { user: 'u' },
    messages: { metadata: { user_id: 'u' } },
  },
  { what: 'metadata', chat_completions: { metadata: { a: 'b' } }, responses: { metadata: { a: 'b' } } },
  {
    what: 'how much to think',
    chat_completions: { reasoning_effort: 'low' },
    responses: { reasoning: { effort: 'low' } },
    messages: { thinking: { type: 'enabled', budget_tokens: 1024 } },
  },
  {
    what: 'thoughts that Anthropic sealed',
    chat_completions: {
      messages: [
        hi,
        {
          role: 'assistant',
          content: 'Yes',
          reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic' }],
        },
        hi,
      ],
    },
    messages: { messages: [hi, { role: 'assistant', content: [thought, { type: 'text', text: 'Yes' }] }, hi] },
  },
  {
    what: 'thoughts that OpenAI encrypted',
    responses: { input: [hi, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }, hi] },
  },
  {
    what: 'thoughts in plain text',
    chat_completions: { messages: [hi, { role: 'assistant', content: 'Yes', reasoning_content: 'Hm' }, hi] },
    responses: { input: [hi, { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] }, hi] },
  },
  {
    what: 'what to cache',
    chat_completions: user({ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }),
    messages: user({ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }),
  },
  { what: 'several answers', chat_completions: { n: 2 } },
  { what: 'spoken answers', chat_completions: { modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } } },
  {
    what: 'a field that nobody knows',
    chat_completions: { sparkle: 1 },
    responses: { sparkle: 1 },
    messages: { sparkle: 1 },
  },
]
