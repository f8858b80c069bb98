import type { GuardedStream } from '#kernel'
import { McpAnswerError, McpTooLargeError } from '../errors.ts'
import { EventLines } from '../wire/event-lines.ts'
import { isObject, type JsonObject, type RequestId, type RpcFault } from '../wire/json-rpc.ts'

/** What a server answered to one request. */
type RpcAnswer = { readonly result: JsonObject } | { readonly fault: RpcFault }

const mostBytes = 1_048_576
/** Of what comes beside the answer: progress, logs, and requests of the server's, which nobody answers. */
const mostMessages = 256

/** Reads the answer to a request, as JSON or out of a stream of events, and lets go of the rest. */
export async function readAnswer({ headers, body }: GuardedStream, id: RequestId): Promise<RpcAnswer> {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  try {
    if (type === 'application/json') return answerTo(parse(await readText(body)), id, true) as RpcAnswer
    if (type === 'text/event-stream') return await fromEvents(body, id)
    throw new McpAnswerError({ why: 'it is neither JSON nor a stream of events' })
  } finally {
    body.destroy()
  }
}

/** The fault in the body of a refusal, where there is one. */
export async function readFault({ headers, body }: GuardedStream): Promise<RpcFault | undefined> {
  try {
    if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return undefined
    const said = parse(await readText(body))
    return isObject(said) ? faultIn(said['error']) : undefined
  } catch (error) {
    if (error instanceof McpAnswerError || error instanceof McpTooLargeError) return undefined
    throw error
  } finally {
    body.destroy()
  }
}

async function fromEvents(body: GuardedStream['body'], id: RequestId): Promise<RpcAnswer> {
  const lines = new EventLines()
  let messages = 0
  for await (const piece of limited(body)) {
    for (const data of lines.take(piece)) {
      // Revisions with sessions begin a stream with an empty event.
      const answer = data === '' ? undefined : answerTo(parse(data), id, false)
      if (answer) return answer
      if (++messages > mostMessages) throw new McpAnswerError({ why: 'it tells too much beside its answer' })
    }
  }
  const last = lines.end()
  const answer = last === undefined || last === '' ? undefined : answerTo(parse(last), id, false)
  if (!answer) throw new McpAnswerError({ why: 'its stream ends without an answer' })
  return answer
}

function answerTo(message: unknown, id: RequestId, isAlone: boolean): RpcAnswer | undefined {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') throw new McpAnswerError({ why: 'it is no JSON-RPC message' })
  const isOurs = message['id'] === id && message['method'] === undefined
  if (!isOurs && !isAlone) return undefined
  const fault = faultIn(message['error'])
  // A request that could not be read is refused without its id.
  if (fault && (isOurs || message['id'] === undefined || message['id'] === null)) return { fault }
  const { result } = message as { readonly result?: unknown }
  if (!isOurs || !isObject(result)) throw new McpAnswerError({ why: 'it answers another request' })
  return { result }
}

function faultIn(error: unknown): RpcFault | undefined {
  if (!isObject(error)) return undefined
  const { code, message, data } = error
  if (!Number.isSafeInteger(code) || typeof message !== 'string') return undefined
  return { code: code as number, message: message.slice(0, 500).toWellFormed(), data }
}

/** Escapes of what no text of a database can have: NUL, and halves of characters. */
const unstorable = /\\u(0000|d[89a-f])/i

function parse(text: string): unknown {
  try {
    return JSON.parse(text, unstorable.test(text) ? storable : undefined) as unknown
  } catch {
    throw new McpAnswerError({ why: 'it is no JSON' })
  }
}

function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

async function readText(body: GuardedStream['body']): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of limited(body)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

async function* limited(body: GuardedStream['body']): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > mostBytes) throw new McpTooLargeError()
    yield piece
  }
}
