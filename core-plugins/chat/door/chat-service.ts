import type { Knex } from 'knex'
import { type Bus, type Locale, type Principal, type Tenant } from '#kernel'
import type { AgentDirectory } from '../../agents/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import { ConfirmationOverError, RunEventsGoneError, RunNotFoundError } from '../errors.ts'
import { refuse } from '../faults.ts'
import type { DecidedCall } from '../loop/answer.ts'
import { placeAfter, type RunEvent } from '../run-events.ts'
import type { Runner } from '../runs/runner.ts'
import { wholeMessage } from '../runs/run-end.ts'
import type { Tails } from '../runs/tail.ts'
import { MessageRow, RunRow, type ConversationRow } from '../tables.ts'
import { presentContext } from '../timeline/last-context.ts'
import type { MessageFiles } from '../files/message-files.ts'
import type { ChatWish } from './chat-wish.ts'
import { errorIn } from './error-in.ts'
import { routedBefore } from './routed-before.ts'

/** Where hosts hear that a run of theirs is to end. */
export const cancelChannel = 'chat.cancel'

interface ChatParts {
  readonly db: Knex
  readonly bus: Bus
  readonly agents: AgentDirectory
  readonly gateway: AiGateway
  readonly runner: Runner
  readonly tails: Tails
  readonly messageFiles: Pick<MessageFiles, 'read'>
}

/** Who calls. */
export interface ChatCaller {
  readonly principal: Principal
  readonly tenant: Tenant
  readonly traceId: string
  readonly locale: Locale
  /** The API key that the user asks with. */
  readonly keyId?: string | undefined
  /** What costs are shown by. */
  readonly tags?: readonly string[] | undefined
  /** Why this agent answers, where it was looked for. */
  readonly decision?: object | undefined
}

/** An answer that is being made. */
interface Answering {
  readonly run: RunRow
  readonly conversation: ConversationRow
  /** Its events from the first on. */
  readonly read: () => AsyncIterableIterator<RunEvent>
  /** Nobody waits for it any more. */
  readonly leave: () => void
}

/** Messages to agents, and the runs that answer them. */
export class ChatService {
  readonly #parts: ChatParts

  constructor(parts: ChatParts) {
    this.#parts = parts
  }

  /**
   * Begins to answer, or goes on with the run that answers the same message already. Throws 403/4036, 404/4047, 409/4094, 422/4229, and
   * what the gateway refuses a call with.
   */
  async start(
    agentId: string,
    wish: ChatWish,
    { principal, tenant, traceId, locale, keyId, tags, decision }: ChatCaller,
  ): Promise<Answering> {
    const agent = await this.#parts.agents.get(principal, agentId)
    const { decided, conversationId } = await this.#decided(wish, principal)
    const isAsked = wish.regenerate !== true && wish.run_id === undefined
    const model = this.#parts.gateway.find(agent.definition.model, principal.tenantId)
    const { text, ...read } = await this.#parts.messageFiles.read(isAsked ? (wish.message ?? '') : '', principal, model)
    if (isAsked && text.trim() === '') refuse('message', 'message_wanted', 'is missing')
    const { runner, tails } = this.#parts
    const { run, conversation, live } = await runner.start({
      ...{ user: principal, keyId, tags, decision, tenant, agent, traceId, locale, decided, inputs: wish.inputs ?? {} },
      message: {
        ...{ conversationId: conversationId ?? wish.conversation_id ?? undefined, text, read },
        ...{ parentId: wish.parent_message_id ?? undefined, regenerate: wish.regenerate ?? false },
        ...{ continues: wish.run_id, clientMessageId: wish.client_message_id ?? undefined },
      },
      maxOutputTokens: wish.options?.max_output_tokens,
      temperature: wish.options?.temperature,
      usesMemory: wish.memory ?? true,
      knowledgeBaseIds: wish.knowledge_base_ids ?? null,
      onDisconnect: wish.on_disconnect ?? 'cancel',
    })
    return {
      ...{ run, conversation },
      read: () => (live ? live.read(-1) : tails.read(run, -1)),
      leave: () => runner.stop(run.id, 'disconnected'),
    }
  }

  /** The run that answers the same message already, of an agent that was looked for, and why it was that one. Throws 403/4036. */
  async routedBefore(
    wish: ChatWish,
    user: Principal,
  ): Promise<{ readonly started: Answering; readonly decision: object } | undefined> {
    const { db, gateway, runner, tails } = this.#parts
    await gateway.demandOpen(user.tenantId)
    const before = await routedBefore(wish, user, db)
    if (!before) return undefined
    const read = () => tails.read(before.run, -1)
    const reader = read()
    const first = await reader.next()
    await reader.return?.()
    const decision: unknown = first.done === true ? undefined : first.value.data['route']
    if (typeof decision !== 'object' || decision === null) return undefined
    return { started: { ...before, read, leave: () => runner.stop(before.run.id, 'disconnected') }, decision }
  }

  /** Waits for what comes of a run. Throws the error with which it failed. */
  async answerOf({ run, conversation, read }: Answering, signal: AbortSignal) {
    const events: RunEvent[] = []
    const reader = read()
    const leave = (): void => void reader.return?.()
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    for await (const event of reader) events.push(event)
    signal.removeEventListener('abort', leave)
    const last = events.at(-1)
    if (last?.kind === 'run.failed') throw errorIn(last.data)
    const message = await MessageRow.of(run.tenantId, this.#parts.db).findById(run.messageId)
    if (!last || !message) throw new RunNotFoundError()
    const context = events.find(({ kind }) => kind === 'context.ready')?.data
    const switches = events.filter(({ kind }) => kind === 'route.switched').length
    return {
      ...{ run_id: run.id, conversation_id: conversation.id, title: conversation.title, status: last.data['status'] },
      message: wholeMessage(run, message),
      usage: message.usage,
      context: context ? presentContext(context) : null,
      route: { attempts: switches + 1, fallback: switches > 0 },
    }
  }

  /** The events of a run after the last that the caller has. Throws 403/4036, 404/4040, and 410/4100 once they are gone. */
  async eventsOf(user: Principal, runId: string, lastEventId: string | undefined) {
    await this.#parts.gateway.demandOpen(user.tenantId)
    const run = await this.#find(user, runId)
    if (run.pruned) {
      const message = await MessageRow.of(user.tenantId, this.#parts.db).findById(run.messageId)
      const details = { status: run.status, message: message ? wholeMessage(run, message) : null }
      throw new RunEventsGoneError({ details })
    }
    return { run, events: this.#parts.tails.read(run, placeAfter(runId, lastEventId)) }
  }

  /** Ends a run before its time, wherever it is; one that is over stays as it is. Throws 403/4036 and 404/4040. */
  async cancel(user: Principal, runId: string): Promise<{ readonly run_id: string; readonly status: string }> {
    await this.#parts.gateway.demandOpen(user.tenantId)
    const run = await this.#find(user, runId)
    if (run.status === 'running') await this.stop(run)
    return { run_id: runId, status: run.status === 'running' ? 'cancelling' : run.status }
  }

  /** The same, for whoever may. The word on the bus may be lost: what is written down is read each second. */
  async stop({ id, tenantId }: { readonly id: string; readonly tenantId: number }): Promise<void> {
    this.#parts.runner.stop(id, 'cancelled')
    await RunRow.of(tenantId, this.#parts.db).findById(id).where({ status: 'running' }).patch({ cancelAt: new Date() })
    await this.#parts.bus.publish(cancelChannel, { run: id })
  }

  async #find({ tenantId, userId }: Principal, runId: string): Promise<RunRow> {
    const run = await RunRow.of(tenantId, this.#parts.db).findById(runId).where({ user_id: userId })
    if (!run) throw new RunNotFoundError()
    return run
  }

  /** What the user says of calls that wait, each of which must be said something of. */
  async #decided(
    { run_id: runId, tool_confirmations: said = [] }: ChatWish,
    user: Principal,
  ): Promise<{
    readonly decided: readonly DecidedCall[]
    readonly conversationId?: string
  }> {
    if (runId === undefined) return { decided: [] }
    const run = await this.#find(user, runId)
    const message = await MessageRow.of(user.tenantId, this.#parts.db).findById(run.messageId)
    const waiting = (message?.toolCalls ?? []).filter(({ status }) => status === 'awaiting_confirmation')
    if (!message || waiting.length === 0) throw new ConfirmationOverError()
    const asked = message.said.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_call' ? [part] : [])),
    )
    for (const [at, { call_id: id }] of said.entries()) {
      if (!waiting.some((call) => call.id === id)) {
        refuse(`tool_confirmations[${String(at)}].call_id`, 'known_call', 'is no call that waits')
      }
    }
    if (waiting.some(({ expires_at: at }) => at !== undefined && Date.parse(at) < Date.now())) {
      throw new ConfirmationOverError()
    }
    const decided = waiting.flatMap((shown) => {
      const { id } = shown
      const call = asked.findLast((part) => part.id === id)
      const isAllowed = said.find(({ call_id: named }) => named === id)?.decision === 'allow'
      return call ? [{ call: { id, name: call.name, arguments: call.arguments }, shown, isAllowed }] : []
    })
    return { decided, conversationId: run.conversationId }
  }
}
