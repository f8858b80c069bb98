import type { RefusalReason, RpcMessage } from '../../../../sandbox/sdk/ui/protocol.ts'
import { Bucket } from './bucket.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

/** What the largest body, 1 MB, and what stands around it come to. */
const mostCharacters = 1_050_000
/** A file of 5 MB in base64; a text of 1 MB of which JSON may write each letter with two. */
const mostOf: ReadonlyMap<string | undefined, number> = new Map([
  ['download', 7_100_000],
  ['copy', 2_100_000],
])
const endCharacters = 10_000_000
const deepest = 16
const mostDropped = 20

// Here, and not where people wait, messages of a page are counted, measured and copied.
let port: MessagePort | undefined
const messages = new Bucket(200, 100)
const characters = new Bucket(30_000_000, 5_000_000)
let dropped = 0

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'send') return port?.postMessage(data.message)
  port = data.port
  port.onmessage = take
})

function take({ data, ports }: MessageEvent<unknown>): void {
  if (!port) return
  if (!messages.take(1) || ports.length > 0 || !isObject(data)) return drop()
  const text = textOf(data)
  if (text !== undefined && text.length > endCharacters) return end()
  if (text === undefined) return drop()
  const message: unknown = JSON.parse(text)
  if (depthOf(message) > deepest || !isRpc(message)) return drop()
  if (text.length > (mostOf.get(message.method) ?? mostCharacters)) return refuse(message, 'too_large')
  if (!characters.take(text.length)) return refuse(message, 'rate_limited')
  tell({ type: 'message', message })
}

/** Drops a request, and answers whoever waits for it. */
function refuse({ id, method }: RpcMessage, reason: RefusalReason): void {
  const error = { code: -32000, message: reason, data: { reason } }
  if (method !== undefined && id !== undefined) port?.postMessage({ jsonrpc: '2.0', id, error } satisfies RpcMessage)
  drop()
}

function drop(): void {
  dropped += 1
  if (dropped >= mostDropped) end()
}

function end(): void {
  port?.close()
  port = undefined
  tell({ type: 'end' })
}

function tell(message: FromWorker): void {
  postMessage(message)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isRpc(value: unknown): value is RpcMessage {
  return isObject(value) && 'jsonrpc' in value && value.jsonrpc === '2.0' && ('method' in value || 'id' in value)
}

/** As JSON; undefined for what is none, as what holds itself. */
function textOf(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function depthOf(value: unknown, depth = 1): number {
  if (typeof value !== 'object' || value === null || depth > deepest) return depth
  return Math.max(
    depth,
    ...Object.values(value)
      .slice(0, 10_000)
      .map((part) => depthOf(part, depth + 1)),
  )
}
