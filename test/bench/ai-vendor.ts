import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

// A vendor that costs next to nothing: it speaks OpenAI's and Anthropic's wire. The model says how it answers: `<frames>x<ms>` frames, one each so many milliseconds, or `quick`.
const usage = { prompt_tokens: 20, completion_tokens: 40, total_tokens: 60 }
const said = 'An answer of usual length says a few words about what it was asked, and no more than that. '
const message = { role: 'assistant', content: said.repeat(2) }
const whole = JSON.stringify({
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'quick' },
  ...{ choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
})
/** When callers went away before their stream was whole, in milliseconds since 1970. */
let hungUp: number[] = []

function chatFrames(count: number): readonly string[] {
  const head = '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"quick"'
  const chunk = (delta: string, finish: string): string =>
    `data: ${head},"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`
  return [
    ...Array.from({ length: count }, (_, at) => chunk(`{"content":"word ${at} "}`, 'null')),
    `${chunk('{}', '"stop"')}data: ${head},"choices":[],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`,
  ]
}

function messageFrames(count: number): readonly string[] {
  const frame = (type: string, more: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
  const begun = {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'quick',
    content: [],
    usage: { input_tokens: 20, output_tokens: 1 },
  }
  const opened =
    frame('message_start', { message: begun }) +
    frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  const deltas = Array.from({ length: count }, (_, at) =>
    frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: `word ${at} ` } }),
  )
  const ended =
    frame('content_block_stop', { index: 0 }) +
    frame('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: count } }) +
    frame('message_stop', {})
  return [opened + (deltas[0] ?? ''), ...deltas.slice(1), ended]
}

function stream(response: ServerResponse, frames: readonly string[], pause: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let at = 0
  const timer = setInterval(() => next(), pause)
  const next = (): void => {
    response.write(frames[at++])
    if (at < frames.length) return
    clearInterval(timer)
    response.end()
  }
  response.on('close', () => {
    clearInterval(timer)
    if (!response.writableFinished) hungUp.push(Date.now())
  })
  next()
}

const server = createServer((request, response) => {
  if (request.url === '/hung-up') {
    response.end(JSON.stringify(hungUp))
    hungUp = []
    return
  }
  // A check of the provider asks for its models.
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}')
    return
  }
  void text(request).then((body) => {
    const { model } = JSON.parse(body) as { model: string }
    const [count, pause] = model.split('x').map(Number)
    if (count === undefined || pause === undefined) {
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
    }
    const isMessages = request.url?.endsWith('/messages') ?? false
    stream(response, isMessages ? messageFrames(count) : chatFrames(count), pause)
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env['VENDOR_PORT']), '127.0.0.1')
createServer((_, response) => response.end()).listen(Number(process.env['PORT']), '127.0.0.1')
