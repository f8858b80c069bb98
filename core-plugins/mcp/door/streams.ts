import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerEvent } from '#kernel'
import type { JsonObject, RequestId } from '../wire/json-rpc.ts'
import { metaNames } from '../wire/versions.ts'

const beatMs = 5_000

/** A message as an event of a stream. */
function eventOf(message: JsonObject): ServerEvent {
  return { event: 'message', data: { jsonrpc: '2.0', ...message } }
}

/** How a call goes on, until there is its answer. */
export async function* progressing(token: unknown, work: Promise<JsonObject>): AsyncGenerator<ServerEvent> {
  const note = (progress: number): ServerEvent =>
    eventOf({ method: 'notifications/progress', params: { progressToken: token, progress } })
  let answer: JsonObject | undefined
  const done = work.then((message) => void (answer = message))
  for (let progress = 0; !answer; progress++) {
    yield note(progress)
    const beat = new AbortController()
    await Promise.race([done, sleep(beatMs, undefined, { signal: beat.signal, ref: false }).catch(() => undefined)])
    beat.abort()
  }
  yield eventOf(answer)
}

/** Tells that a caller's tools are others than before, whenever they are; ends when the caller may not listen any more. */
export async function* listening(
  tools: () => Promise<string | undefined>,
  wait: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  subscription: RequestId | undefined,
): AsyncGenerator<ServerEvent> {
  const meta = subscription === undefined ? {} : { _meta: { [metaNames.subscription]: subscription } }
  let before = await tools()
  if (subscription !== undefined) {
    const params = { ...meta, notifications: { toolsListChanged: true } }
    yield eventOf({ method: 'notifications/subscriptions/acknowledged', params })
  }
  while (!signal.aborted && before !== undefined) {
    await wait(signal)
    const now = signal.aborted ? before : await tools()
    if (now === undefined) return
    if (now !== before) yield eventOf({ method: 'notifications/tools/list_changed', params: meta })
    before = now
  }
}
