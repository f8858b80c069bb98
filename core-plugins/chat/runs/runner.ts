import type { Knex } from 'knex'
import { InternalError, type Bus, type Locale, type Logger, type Principal, type Tenant } from '#kernel'
import type { AgentDirectory, PublishedAgent } from '../../agents/contract.ts'
import type { AiGateway, NeutralMessage } from '../../ai/contract.ts'
import type { PluginTools } from '../../plugin-offers/contract.ts'
import { makeCalls, refusedCall, type AskedCall } from '../loop/call-tools.ts'
import { pathTo, saidBefore } from '../loop/history.ts'
import { runLoop, type Progress } from '../loop/loop.ts'
import { buildPrompt } from '../loop/prompt.ts'
import { offeredTools } from '../loop/tool-set.ts'
import type { RunRow } from '../tables.ts'
import { Closing } from './closing.ts'
import { outcomeOf } from './ending.ts'
import type { Journal } from './journal.ts'
import { LiveRun, type StopReason } from './live-run.ts'
import { beginRun, forgetRun, type BegunRun, type NewMessage } from './run-store.ts'

/** What runs stand on. */
interface RunnerParts {
  readonly db: Knex
  readonly bus: Bus
  readonly log: Logger
  readonly journal: Journal
  readonly gateway: AiGateway
  readonly tools: PluginTools
  readonly agents: AgentDirectory
  readonly currency: () => Promise<string>
  /** Told of a run that answered. */
  readonly answered: (run: RunRow, agent: PublishedAgent) => void
}

/** Who asks, and what for. */
interface RunWish {
  readonly message: NewMessage
  readonly user: Principal
  readonly tenant: Pick<Tenant, 'id' | 'code'>
  readonly agent: PublishedAgent
  readonly traceId: string
  readonly locale: Locale
  readonly inputs: Readonly<Record<string, string>>
  readonly maxOutputTokens: number | undefined
  readonly temperature: number | undefined
  /** What to do once nobody reads any more. */
  readonly onDisconnect: 'cancel' | 'continue'
  /** What the user decided on calls that waited. */
  readonly decided: readonly { readonly call: AskedCall; readonly isAllowed: boolean }[]
}

/** A run that was let in. */
export interface StartedRun extends BegunRun {
  readonly live: LiveRun
}

interface Entry {
  readonly live: LiveRun
  readonly onDisconnect: RunWish['onDisconnect']
}

/** Who left may come back for so long. */
const GRACE_MS = 10_000

/** The runs of this host. */
export class Runner implements AsyncDisposable {
  readonly #parts: RunnerParts
  readonly #closing: Closing
  readonly #entries = new Map<string, Entry>()
  readonly #working = new Set<Promise<void>>()

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.#closing = new Closing(parts)
  }

  /** Begins to answer; resolves once the gateway has let it in. Throws what keeps it from that, and then nothing was done. */
  async start(wish: RunWish): Promise<StartedRun> {
    const { db, journal } = this.#parts
    const begun = await beginRun(wish.message, wish, db)
    const { run } = begun
    const { tenantId } = run
    const live = new LiveRun(run.id, tenantId, (event) => journal.add({ runId: run.id, tenantId, event }))
    this.#entries.set(run.id, { live, onDisconnect: wish.onDisconnect })
    live.emit({ kind: 'run.started', data: startOf(run, wish.agent) })
    const admission = Promise.withResolvers<void>()
    const work = this.#work(wish, begun, live, admission).finally(() => {
      this.#entries.delete(run.id)
      this.#working.delete(work)
    })
    this.#working.add(work)
    await admission.promise
    return { ...begun, live }
  }

  find(runId: string): LiveRun | undefined {
    return this.#entries.get(runId)?.live
  }

  get ids(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Ends a run of this host before its time. */
  stop(runId: string, why: StopReason): void {
    this.find(runId)?.stop(why)
  }

  /** Ends what nobody waits for any more. */
  endForsaken(): void {
    for (const { live, onDisconnect } of this.#entries.values()) {
      if (onDisconnect === 'cancel' && live.unreadMs >= GRACE_MS) live.stop('disconnected')
    }
  }

  /** Ends every run, and waits for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { live } of this.#entries.values()) live.stop('stopping')
    await Promise.all(this.#working)
  }

  async #work(wish: RunWish, begun: BegunRun, live: LiveRun, admission: PromiseWithResolvers<void>): Promise<void> {
    const { run } = begun
    const progress: Progress = { content: '', open: '', said: [], toolCalls: [], spent: [] }
    let isAdmitted = false
    const admit = (): void => {
      isAdmitted = true
      admission.resolve()
    }
    const outcome = await this.#answer(wish, run, live, progress, admit).then(
      (finish) => ({ finish }),
      (error: unknown) => ({ error }),
    )
    if ('error' in outcome && !isAdmitted && !live.signal.aborted) {
      await this.#takeBack(begun)
      return admission.reject(outcome.error)
    }
    admission.resolve()
    const isAnswered = 'finish' in outcome
    await this.#closing.close(run, live, isAnswered ? outcome : outcomeOf(outcome.error, live.signal), progress)
    if (isAnswered) this.#parts.answered(run, wish.agent)
  }

  async #answer(wish: RunWish, run: RunRow, live: LiveRun, progress: Progress, admit: () => void) {
    const { db, gateway, tools, agents } = this.#parts
    const { agent, user, tenant, traceId, decided } = wish
    const { definition } = agent
    const path = await pathTo(run.parentId, run, db)
    await agents.noteUse(user, agent.id)
    const offered = offeredTools(agent, tools, wish.locale)
    const { signal } = live
    const context = { tools, offered, user, tenant, runId: run.id, traceId, signal }
    const history = saidBefore(path, new Set(decided.map(({ call }) => call.id)))
    const model = gateway.find(definition.model, user.tenantId)
    const { messages, window, used } = buildPrompt(agent, history, wish.inputs, model)
    live.emit({
      kind: 'context.ready',
      data: { window, used, compaction: null, memories: 0, retrieved: 0, mode: null },
    })
    if (decided.length > 0) {
      admit()
      progress.said.push(...(await this.#decide(wish, { ...context, emit: (event) => live.emit(event) }, progress)))
    }
    const most = [definition.max_output_tokens ?? undefined, wish.maxOutputTokens].filter((each) => each !== undefined)
    const temperature = wish.temperature ?? definition.temperature ?? undefined
    const request = {
      ...{ model: definition.model, stream: true, includeUsage: true, extra: {} },
      ...(most.length > 0 && { maxOutputTokens: Math.min(...most) }),
      ...(temperature !== undefined && { temperature }),
    }
    const spender = {
      tenantId: user.tenantId,
      userId: user.userId,
      agentId: agent.id,
      conversationId: run.conversationId,
    }
    const call = {
      spender,
      purpose: 'chat' as const,
      signal,
      traceId,
      sticky: run.conversationId,
      request,
      admitted: admit,
    }
    return runLoop({ agent, gateway, context, call, prompt: messages }, progress, live)
  }

  /** Makes the calls that the user allowed; the model is told of those that were refused. */
  async #decide(
    { decided }: RunWish,
    context: Parameters<typeof makeCalls>[1],
    progress: Progress,
  ): Promise<readonly NeutralMessage[]> {
    const allowed = decided.flatMap(({ call, isAllowed }) => (isAllowed ? [call] : []))
    const made = await makeCalls(allowed, context)
    const refused = decided.flatMap(({ call, isAllowed }) =>
      isAllowed ? [] : [refusedCall(call, context.offered.get(call.name))],
    )
    progress.toolCalls.push(...[...made, ...refused].map(({ record }) => record))
    return [...made, ...refused].map(({ result }) => result)
  }

  /** As if nobody had asked; where that fails the run is ended as one of a host that died. */
  async #takeBack(begun: BegunRun): Promise<void> {
    try {
      await this.#parts.journal.take(begun.run.id)
      await forgetRun(begun, this.#parts.db)
    } catch (error) {
      this.#parts.log.error(
        { err: new InternalError({ cause: error }), run_id: begun.run.id },
        'a run was not taken back',
      )
    }
  }
}

function startOf(run: RunRow, { id, version }: PublishedAgent) {
  const { id: runId, conversationId, userMessageId, messageId } = run
  return {
    ...{ run_id: runId, conversation_id: conversationId, user_message_id: userMessageId, message_id: messageId },
    agent: { id, version },
  }
}
