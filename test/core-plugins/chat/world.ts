import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'

/** One frame of a stream of events. */
export interface Frame {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: Body
}

/** A stream of events that is read. */
export interface Reading {
  readonly status: number
  readonly headers: Headers
  /** Reads frames until one is as wanted, or the stream ends; answers those read by this call. */
  until(wanted?: (frame: Frame) => boolean): Promise<readonly Frame[]>
  /** Hangs up. */
  leave(): void
}

/** Opens a stream of events. */
export async function open(api: Api, path: string, body?: unknown, lastEventId?: string): Promise<Reading> {
  const control = new AbortController()
  const answer = await fetch(api.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...{ authorization: `Bearer ${api.token ?? ''}`, 'content-type': 'application/json' },
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: control.signal,
  })
  const source = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: answer.status,
    headers: answer.headers,
    leave: () => control.abort(),
    async until(wanted = () => false) {
      const frames: Frame[] = []
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end === -1) {
          const chunk = await source?.read()
          if (!chunk || chunk.done) return frames
          text += chunk.value
          continue
        }
        const frame = parse(text.slice(0, end))
        text = text.slice(end + 2)
        if (!frame) continue
        frames.push(frame)
        if (wanted(frame)) return frames
      }
    },
  }
}

/** Sends a message and reads the whole stream. */
export async function stream(api: Api, agentId: string, body: object): Promise<readonly Frame[]> {
  return (await open(api, streamOf(agentId), body)).until()
}

/** Where messages to an agent are streamed from. */
export function streamOf(agentId: string): string {
  return `/ai/agent-chat/${agentId}/chat/stream`
}

/** Sends a message and waits for the answer. */
export async function ask(api: Api, agentId: string, body: object): Promise<Body> {
  return dataOf(await api.post(`/ai/agent-chat/${agentId}/chat`, body))
}

/** The text that frames tell. */
export function textIn(frames: readonly Frame[]): string {
  return frames.map(({ event, data }) => (event === 'message.delta' ? textOf(data['text']) : '')).join('')
}

/** The kinds of frames, repeated ones once. */
export function kindsOf(frames: readonly Frame[]): readonly (string | undefined)[] {
  return frames.map(({ event }) => event).filter((event, at, all) => event !== all[at - 1])
}

function parse(block: string): Frame | undefined {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trimStart()] as const] : []
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return {
    id: fields.get('id'),
    event: fields.get('event'),
    data: data === '[DONE]' ? {} : (JSON.parse(data) as Body),
  }
}
