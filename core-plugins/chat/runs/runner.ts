import type { Knex } from 'knex'
import { InternalError, type Bus, type Locale, type Logger, type Principal, type Tenant } from '#kernel'
import type { AgentDirectory, PublishedAgent } from '../../agents/contract.ts'
import type { FileHolds } from '../files/hold-files.ts'
import type { ChatTurn } from '../contract.ts'
import type { ChatNews } from '../news.ts'
import { answer, type AnswerParts, type DecidedCall } from '../loop/answer.ts'
import type { FitHistory } from '../loop/fit-history.ts'
import { pathTo } from '../loop/history.ts'
import { noProgress, type Progress } from '../loop/loop.ts'
import type { MessageRow, RunRow } from '../tables.ts'
import { Closing } from './closing.ts'
import { outcomeOf } from './ending.ts'
import { forUsers } from './for-users.ts'
import type { Journal } from './journal.ts'
import { LiveRun, type StopReason } from './live-run.ts'
import { beginRun, forgetRun, type BegunRun, type NewMessage } from './run-store.ts'

/** What runs stand on. */
interface RunnerParts extends AnswerParts {
  readonly db: Knex
  readonly bus: Bus
  readonly log: Logger
  readonly journal: Journal
  readonly agents: AgentDirectory
  readonly holds: FileHolds
  readonly fitHistory: FitHistory
  readonly currency: () => Promise<string>
  /** Tells others of a run that was let in, and of one that is over. */
  readonly news: Pick<ChatNews, 'began' | 'ended'>
  /** Told of a run that answered, or waits for its user. */
  readonly answered: (run: RunRow, turn: ChatTurn, answer: { readonly finish: string; readonly text: string }) => void
}

/** Who asks, and what for. */
interface RunWish {
  readonly message: NewMessage
  readonly user: Principal
  /** The API key that the user asks with. */
  readonly keyId?: string | undefined
  /** What costs are shown by. */
  readonly tags?: readonly string[] | undefined
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
  readonly decided: readonly DecidedCall[]
  /** Why this agent answers, where it was looked for. */
  readonly decision?: object | undefined
  readonly usesMemory: boolean
  readonly knowledgeBaseIds: readonly string[] | null
}

/** A run that was let in, or that answers the same message already. */
interface StartedRun extends Pick<BegunRun, 'run' | 'conversation'> {
  /** Undefined of one of another host, and of one that is over. */
  readonly live: LiveRun | undefined
}

interface Entry {
  readonly live: LiveRun
  readonly onDisconnect: RunWish['onDisconnect']
}

/** Who left may come back for so long. */
const graceMs = 10_000

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
    const { db, journal, holds } = this.#parts
    const begun = await beginRun(wish.message, wish, holds, db)
    const { run, conversation } = begun
    if (begun.isSentBefore) return { run, conversation, live: this.find(run.id) }
    const { tenantId } = run
    const live = new LiveRun(run.id, tenantId, (event) => journal.add({ runId: run.id, tenantId, event }))
    this.#entries.set(run.id, { live, onDisconnect: wish.onDisconnect })
    live.emit({
      kind: 'run.started',
      data: { ...startOf(run, wish.agent), ...(wish.decision && { route: wish.decision }) },
    })
    const admission = Promise.withResolvers<void>()
    const work = this.#work(wish, begun, live, admission).finally(() => {
      this.#entries.delete(run.id)
      this.#working.delete(work)
    })
    this.#working.add(work)
    await admission.promise
    return { run, conversation, live }
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
      if (onDisconnect === 'cancel' && live.unreadMs >= graceMs) live.stop('disconnected')
    }
  }

  /** Ends every run, and waits for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { live } of this.#entries.values()) live.stop('stopping')
    await Promise.all(this.#working)
  }

  async #work(wish: RunWish, begun: BegunRun, live: LiveRun, admission: PromiseWithResolvers<void>): Promise<void> {
    const { run } = begun
    const progress = noProgress()
    let isAdmitted = false
    let told: Promise<void> | undefined
    const admit = (): void => {
      isAdmitted = true
      if (told) return
      // Nobody waits for either to be read what the agent says.
      told = Promise.all([this.#parts.news.began(begun), this.#noteUse(wish)]).then(() => undefined)
      admission.resolve()
    }
    const outcome = await this.#answer(wish, begun, live, progress, admit).then(
      (answered) => answered,
      (error: unknown) => ({ error }),
    )
    if ('error' in outcome && !isAdmitted && !live.signal.aborted) {
      await this.#takeBack(begun)
      return admission.reject(forUsers(outcome.error))
    }
    admit()
    // In the order in which it happened.
    await told
    const isAnswered = 'finish' in outcome
    await this.#closing.close(run, live, isAnswered ? outcome : outcomeOf(outcome.error, live.signal), progress)
    if (isAnswered) this.#parts.answered(run, outcome.turn, { finish: outcome.finish, text: progress.content })
  }

  async #answer(wish: RunWish, begun: BegunRun, live: LiveRun, progress: Progress, admit: () => void) {
    const { db, fitHistory } = this.#parts
    const { agent, user, decided } = wish
    const { run } = begun
    const path = begun.path ?? (await pathTo(run.parentId, run, db))
    const turn = turnOf(wish, run, path, live.signal)
    const { id: agentId, tenantId } = agent
    const finish = await answer(
      this.#parts,
      {
        ...{ turn, decided, inputs: wish.inputs },
        ...{ maxOutputTokens: wish.maxOutputTokens, temperature: wish.temperature },
        spender: {
          tenantId,
          userId: user.userId,
          agentId,
          conversationId: run.conversationId,
          ...(wish.keyId !== undefined && { keyId: wish.keyId }),
          ...(wish.tags && { tags: wish.tags }),
        },
        history: (room) => fitHistory({ turn, path, decided: new Set(decided.map(({ call }) => call.id)), room }),
      },
      progress,
      {
        say: (kind, text) => live.say(kind, text),
        emit: (event) => live.emit(event),
        admitted: admit,
      },
    )
    return { finish, turn }
  }

  /** When somebody last asked an agent is worth no answer. */
  async #noteUse({ user, agent }: RunWish): Promise<void> {
    const { agents, log } = this.#parts
    await agents.noteUse(user, agent.id).catch((error: unknown) => {
      log.warn({ err: error, agent_id: agent.id }, 'nobody noted that an agent was asked')
    })
  }

  /** As if nobody had asked; where that fails the run is ended as one of a host that died. */
  async #takeBack(begun: BegunRun): Promise<void> {
    try {
      await this.#parts.journal.take(begun.run.id)
      await forgetRun(begun, this.#parts.holds, this.#parts.db)
    } catch (error) {
      this.#parts.log.error(
        { err: new InternalError({ cause: error }), run_id: begun.run.id },
        'a run was not taken back',
      )
    }
  }
}

function turnOf(wish: RunWish, run: RunRow, path: readonly MessageRow[], signal: AbortSignal): ChatTurn {
  const { user, tenant, agent, usesMemory, knowledgeBaseIds, locale, traceId } = wish
  const { conversationId, userMessageId, messageId } = run
  const question = path.find(({ id }) => id === userMessageId)?.content ?? ''
  return {
    ...{ runId: run.id, stored: { conversationId, userMessageId, messageId }, question },
    ...{ user, tenant, agent, usesMemory, knowledgeBaseIds, locale, traceId, signal },
  }
}

function startOf(run: RunRow, { id, version }: PublishedAgent) {
  const { id: runId, conversationId, userMessageId, messageId } = run
  return {
    ...{ run_id: runId, conversation_id: conversationId, user_message_id: userMessageId, message_id: messageId },
    agent: { id, version },
  }
}
