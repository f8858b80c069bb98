import { InternalError } from '#kernel'
import type {
  AiCall,
  AiCallableModel,
  AiEmbedCall,
  AiEvent,
  AiGateway,
  AiModelInfo,
  AiRun,
  AiSpent,
} from '../contract.ts'
import type { RelayRun } from '../relay/call.ts'
import type { Relay } from '../relay/relay.ts'
import { answerEvents } from '../wire/answer.ts'
import { EventQueue } from './event-queue.ts'

/** Who lists models. */
interface ModelList {
  modelsFor(tenantId: number): readonly AiModelInfo[]
  find(model: string, tenantId: number): AiCallableModel | undefined
}

/** Calls of models from within the platform. */
export class Gateway implements AiGateway {
  readonly #relay: Relay
  readonly #list: ModelList

  constructor(relay: Relay, list: ModelList) {
    this.#relay = relay
    this.#list = list
  }

  async run(call: AiCall): Promise<AiRun> {
    const own = new AbortController()
    const run = await this.#relay.start({ ...call, signal: AbortSignal.any([call.signal, own.signal]) })
    const { requestId } = run.about
    if (run.answer) return { requestId, events: listed(answerEvents(run.answer)), done: Promise.resolve(spentBy(run)) }
    const { promise: done, resolve, reject } = Promise.withResolvers<AiSpent>()
    // Whoever reads the events alone hears of it there.
    done.catch(() => undefined)
    const events = new EventQueue(
      (error) => (error ? reject(error) : resolve(spentBy(run))),
      () => own.abort(),
    )
    const gone = (): void => reject(new DOMException('Nobody waits any more', 'AbortError'))
    call.signal.addEventListener('abort', gone, { once: true })
    own.signal.addEventListener('abort', gone, { once: true })
    done.then(stopListening, stopListening)
    if (run.stream) events.read(run.stream)
    return { requestId, events, done }

    function stopListening(): void {
      call.signal.removeEventListener('abort', gone)
    }
  }

  async embed(call: AiEmbedCall): Promise<{ readonly vectors: readonly (readonly number[])[] } & AiSpent> {
    const { vectors, result } = await this.#relay.embed(call)
    return { vectors, ...result }
  }

  models(tenantId: number): readonly AiModelInfo[] {
    return this.#list.modelsFor(tenantId)
  }

  find(model: string, tenantId: number): AiCallableModel | undefined {
    return this.#list.find(model, tenantId)
  }

  demandOpen(tenantId: number): Promise<void> {
    return this.#relay.demandOpen(tenantId)
  }
}

function spentBy({ result }: RelayRun): AiSpent {
  if (!result) throw new InternalError()
  return result
}

async function* listed(events: readonly AiEvent[]): AsyncGenerator<AiEvent> {
  await Promise.resolve()
  yield* events
}
