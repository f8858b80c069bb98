import { createSortableId, type Locale, type Principal, type Tenant } from '#kernel'
import type { PublishedAgent } from '../../agents/contract.ts'
import type { NeutralMessage } from '../../ai/contract.ts'
import type { ChatTurn } from '../contract.ts'
import { answer, type AnswerParts } from '../loop/answer.ts'
import { noProgress } from '../loop/loop.ts'
import { endingOf, outcomeOf } from '../runs/ending.ts'
import { forUsers } from '../runs/for-users.ts'
import { LiveRun } from '../runs/live-run.ts'
import { usageOf } from '../runs/money.ts'

interface UnstoredParts extends AnswerParts {
  readonly currency: () => Promise<string>
}

/** A question whose answer is kept by whoever asks. */
interface UnstoredWish {
  readonly user: Principal
  readonly tenant: Pick<Tenant, 'id' | 'code'>
  readonly agent: PublishedAgent
  /** The conversation, which ends with the question. */
  readonly messages: readonly NeutralMessage[]
  readonly inputs: Readonly<Record<string, string>>
  readonly maxOutputTokens: number | undefined
  readonly temperature: number | undefined
  /** The API key that it is asked with. */
  readonly keyId?: string | undefined
  /** What costs are shown by. */
  readonly tags?: readonly string[] | undefined
  readonly traceId: string
  readonly locale: Locale
  /** Aborted when nobody waits any more: the run ends at once. */
  readonly signal: AbortSignal
}

/** A run of which nothing is written down but what it costs. */
export interface UnstoredRun {
  readonly id: string
  readonly messageId: string
  readonly live: LiveRun
}

/** Runs of this host that are not stored: no conversation, nothing remembered, nobody who could confirm a call. */
export class UnstoredRuns implements AsyncDisposable {
  readonly #parts: UnstoredParts
  readonly #lives = new Set<LiveRun>()
  readonly #working = new Set<Promise<void>>()

  constructor(parts: UnstoredParts) {
    this.#parts = parts
  }

  /** Begins to answer; resolves once the gateway has let it in. Throws what keeps it from that. */
  async start(wish: UnstoredWish): Promise<UnstoredRun> {
    const [id, messageId] = [createSortableId('run'), createSortableId('msg')]
    const live = new LiveRun(id, wish.user.tenantId, () => undefined)
    const stop = (): void => live.stop('disconnected')
    wish.signal.addEventListener('abort', stop, { once: true })
    if (wish.signal.aborted) stop()
    this.#lives.add(live)
    const { id: agentId, version } = wish.agent
    const started = { run_id: id, conversation_id: null, user_message_id: null, message_id: messageId }
    live.emit({ kind: 'run.started', data: { ...started, agent: { id: agentId, version } } })
    const admission = Promise.withResolvers<void>()
    const work = this.#work(wish, { id, messageId, live }, admission).finally(() => {
      wish.signal.removeEventListener('abort', stop)
      this.#lives.delete(live)
      this.#working.delete(work)
    })
    this.#working.add(work)
    await admission.promise
    return { id, messageId, live }
  }

  /** Ends every run, and waits for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const live of this.#lives) live.stop('stopping')
    await Promise.all(this.#working)
  }

  async #work(
    wish: UnstoredWish,
    { id, messageId, live }: UnstoredRun,
    admission: PromiseWithResolvers<void>,
  ): Promise<void> {
    const progress = noProgress()
    let isAdmitted = false
    const admitted = (): void => {
      isAdmitted = true
      admission.resolve()
    }
    const { traceId, user, agent, keyId, tags } = wish
    const spender = {
      ...{ tenantId: user.tenantId, agentId: agent.id },
      ...(user.userId !== 0 && { userId: user.userId }),
      ...(keyId !== undefined && { keyId }),
      ...(tags && { tags }),
    }
    const outcome = await answer(
      this.#parts,
      {
        ...{ turn: turnOf(wish, id, live.signal), spender, decided: [], inputs: wish.inputs },
        ...{ maxOutputTokens: wish.maxOutputTokens, temperature: wish.temperature },
        history: () => Promise.resolve({ messages: wish.messages, compaction: null }),
      },
      progress,
      { say: (kind, text) => live.say(kind, text), emit: (event) => live.emit(event), admitted },
    ).then(
      (finish) => ({ finish }),
      (error: unknown) => ({ error }),
    )
    if ('error' in outcome && !isAdmitted && !live.signal.aborted) return admission.reject(forUsers(outcome.error))
    live.flush()
    const end = 'finish' in outcome ? outcome : outcomeOf(outcome.error, live.signal)
    const currency = await this.#parts.currency().catch(() => '')
    const { events } = endingOf(end, { messageId, traceId }, progress, usageOf(progress.spent, currency))
    const first = live.nextSeq
    live.tell(events.map((event, at) => live.number(event, first + at)))
    admission.resolve()
  }
}

function turnOf(wish: UnstoredWish, runId: string, signal: AbortSignal): ChatTurn {
  const { user, tenant, agent, locale, traceId, messages } = wish
  const last = messages.findLast(({ role }) => role === 'user')
  const question = (last?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const none = { stored: null, usesMemory: false, knowledgeBaseIds: null }
  return { runId, ...none, question, user, tenant, agent, locale, traceId, signal }
}
