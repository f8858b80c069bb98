import type { FromWorker, ToWorker } from './worker-messages.ts'

const mostCharacters = 1_000_000
const endCharacters = 10_000_000
const deepest = 16
const perSecond = 100
const burst = 200
const mostDropped = 20

// Here, and not where people wait, messages of a page are counted, measured and copied.
let port: MessagePort | undefined
let left = burst
let filledAt = performance.now()
let dropped = 0

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'send') return port?.postMessage(data.message)
  port = data.port
  port.onmessage = take
})

function take({ data, ports }: MessageEvent<unknown>): void {
  if (!port) return
  if (!isWithinRate() || ports.length > 0 || !isObject(data)) return drop()
  const text = textOf(data)
  if (text !== undefined && text.length > endCharacters) return end()
  if (text === undefined || text.length > mostCharacters) return drop()
  const message: unknown = JSON.parse(text)
  if (depthOf(message) > deepest || !isRpc(message)) return drop()
  tell({ type: 'message', message })
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

function isWithinRate(): boolean {
  const now = performance.now()
  left = Math.min(burst, left + ((now - filledAt) / 1000) * perSecond)
  filledAt = now
  if (left < 1) return false
  left -= 1
  return true
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isRpc(value: unknown): value is Extract<FromWorker, { type: 'message' }>['message'] {
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
