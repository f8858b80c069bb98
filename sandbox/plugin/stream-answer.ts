import { AppError, eventStream, type Reply, type ServerEvent } from '#kernel'
import { Refusal } from '../broker/refusal.ts'
import type { StreamMessage, StreamSink } from '../broker/stream-sink.ts'

/** Messages that wait for a slow reader; beyond that the handler waits. */
const room = 16

interface Waiting {
  readonly message: StreamMessage
  readonly taken: () => void
}

/**
 * Answers with Server-Sent Events from the first message on; a handler that sends none answers like any other. What it returns is the
 * last message, `result`, what it throws `error`.
 */
export async function streamAnswer(
  run: (sink: StreamSink) => Promise<string>,
  toReply: (text: string) => Reply,
  { most }: { readonly most: number },
): Promise<Reply> {
  const waiting: Waiting[] = []
  let sent = 0
  let came = Promise.withResolvers<void>()
  const sink: StreamSink = async (message) => {
    sent += message.size
    if (sent > most) throw new Refusal('invalid', 'stream_too_large', `A streamed answer has at most ${most} bytes`)
    const taken = Promise.withResolvers<void>()
    waiting.push({ message, taken: taken.resolve })
    came.resolve()
    if (waiting.length > room) await taken.promise
  }
  let text: string | undefined
  let failure: unknown
  let isOver = false
  const whole = run(sink)
    .then(
      (value) => (text = value),
      (error: unknown) => (failure = error),
    )
    .finally(() => {
      isOver = true
      came.resolve()
    })
  await came.promise
  if (waiting.length === 0 && isOver) {
    await whole
    if (text === undefined) throw failure
    return toReply(text)
  }
  async function* events(): AsyncGenerator<ServerEvent> {
    for (;;) {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        next.taken()
        const { event, id, data } = next.message
        yield { event, data, ...(id === undefined ? {} : { id }) }
      }
      if (isOver) break
      came = Promise.withResolvers()
      await came.promise
    }
    if (text !== undefined) yield { event: 'result', data: JSON.parse(text) as unknown }
    else yield { event: 'error', data: presentFailure(failure) }
  }
  return eventStream(events())
}

/** As any caller is told of it; nothing of what is nobody's business. */
function presentFailure(error: unknown): object {
  if (!(error instanceof AppError)) return { code: 5000, message: 'The answer broke off' }
  const { code, reason, message, details } = error
  return { code, reason, message, ...(details === undefined ? {} : { details }) }
}
