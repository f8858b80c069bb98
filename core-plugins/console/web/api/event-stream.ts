import { createParser } from 'eventsource-parser'

/** One event of a stream. */
export interface StreamEvent {
  readonly kind: string
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events of an answer as they come; ends with the answer. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return
  const waiting: StreamEvent[] = []
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      waiting.push({ kind: event ?? 'message', id: id ?? '', data: JSON.parse(data) as StreamEvent['data'] })
    },
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (value) parser.feed(value)
    yield* waiting.splice(0)
    if (done) return
  }
}
