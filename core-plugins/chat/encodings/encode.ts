import type { ServerEvent } from '#kernel'
import { eventId, type RunEvent } from '../run-events.ts'
import type { RunRow } from '../tables.ts'
import { aiSdkWriter } from './ai-sdk.ts'
import { mapped } from './mapped.ts'
import { openAiWriter } from './openai.ts'

/** In which words the events of a run are told. */
export type Format = 'events' | 'openai' | 'ai-sdk'

/** Tells one event in other words: as none, one or several data of frames. */
type EventWriter = (event: RunEvent) => readonly unknown[]

/** A format, as it is sent. */
interface Encoding {
  readonly headers: Readonly<Record<string, string>>
  /** The events as frames; each has the id to go on after. */
  readonly frames: (run: RunRow, events: AsyncIterableIterator<RunEvent>) => AsyncIterable<ServerEvent>
}

/** The format's encoding; all tell the same events. */
export function encodingOf(format: Format): Encoding {
  switch (format) {
    case 'events':
      return { headers: {}, frames: (run, events) => mapped(events, (event) => [own(run, event)]) }
    case 'openai':
      return { headers: {}, frames: (run, events) => written(run, events, openAiWriter(run)) }
    case 'ai-sdk': {
      const headers = { 'x-vercel-ai-ui-message-stream': 'v1' }
      return { headers, frames: (run, events) => written(run, events, aiSdkWriter()) }
    }
  }
}

function own({ id }: RunRow, { seq, kind, data }: RunEvent): ServerEvent {
  return { id: eventId(id, seq), event: kind, data }
}

function written(
  { id }: RunRow,
  events: AsyncIterableIterator<RunEvent>,
  write: EventWriter,
): AsyncIterable<ServerEvent> {
  return mapped(events, (event) => {
    const told = write(event)
    // Who has only a part of them comes back for the whole of it.
    return told.map((data, at) => (at === told.length - 1 ? { id: eventId(id, event.seq), data } : { data }))
  })
}
