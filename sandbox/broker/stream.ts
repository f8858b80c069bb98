import type { Json } from '../capabilities/json.ts'
import type { TestStreamMessage } from '../capabilities/stream.ts'
import { optionalTextOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import type { Provider } from './provider.ts'
import { badArgument, Refusal } from './refusal.ts'

const eventForm = /^[a-z0-9_.-]{1,64}$/
const idForm = /^[\x21-\x7e]{1,100}$/

/** What a test sees of streams. */
export interface StreamServices {
  /** Told of every message; absent in production. */
  readonly streamed?: (message: TestStreamMessage) => void
}

/** Answers that are streamed; a test sees what was sent. */
export const stream: Provider<StreamServices> = {
  create: ({ services: { streamed } }) => createStreamCapability(streamed),
  fake() {
    const streamed: TestStreamMessage[] = []
    return { services: { streamed: (message) => void streamed.push(message) }, seen: { streamed } }
  },
}

function createStreamCapability(seen: StreamServices['streamed']): CapabilityOperations {
  async function send(argument: Argument, { stream: sink, limits }: CallContext): Promise<void> {
    if (!sink) throw new Refusal('bad_request', 'no_stream', 'Only routes with "stream": true stream their answers')
    const event = optionalTextOf(argument, 'event') ?? 'message'
    const id = optionalTextOf(argument, 'id')
    if (!eventForm.test(event)) throw badArgument('event is small letters, digits, _, - and .')
    if (id !== undefined && !idForm.test(id)) throw badArgument('id is 1 to 100 visible characters')
    const data = argument['data'] ?? null
    const size = Buffer.byteLength(JSON.stringify(data))
    if (size > limits.streamMessageBytes) {
      throw new Refusal('invalid', 'message_too_large', `A message has at most ${limits.streamMessageBytes} bytes`)
    }
    await sink({ event, id, data, size })
    seen?.({ event, id, data: data as Json })
  }
  return { operations: { 'stream.send': send } }
}
