import { AppError } from '#kernel'
import type { ProviderConnection } from '../connection/provider-connection.ts'
import type { CallGuard } from '../guard/call-guard.ts'
import type { Guards } from '../guard/guards.ts'
import type { PluginRouters } from '../../plugin-offers/contract.ts'
import type { AiLedger } from '../../ai-ledger/contract.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { NeutralAnswer, NeutralEmbeddingRequest } from '../wire/neutral.ts'
import type { AnswerCache } from './answer-cache.ts'
import { runCached } from './cached-run.ts'
import type { RelayCall, RelayRun } from './call.ts'
import type { CallListener, CallRecord } from './call-record.ts'
import { runEmbed, type Embedded } from './embed-run.ts'
import { AiAccessDisabledError } from './errors.ts'
import { GuardRoom } from './guard-room.ts'
import { holdFor } from './hold.ts'
import { Heard } from './heard.ts'
import { InputExperience } from './input-experience.ts'
import { sizeOfTexts } from './input-size.ts'
import { findModel, planCall, type Plan, type PlannedCall } from './plan.ts'
import type { Catalogue } from './ports.ts'
import { Run } from './run.ts'
import { StreamRun } from './stream-run.ts'
import { runWhole } from './whole-run.ts'

/** What calls of models go through. */
interface RelayParts {
  readonly catalogue: Catalogue
  readonly table: RoutingTable
  readonly connection: ProviderConnection
  readonly ledger: Pick<AiLedger, 'reserve'>
  /** Whether a tenant may use AI. */
  readonly isOpenTo: (tenantId: number) => boolean | Promise<boolean>
  /** From 0 to 1, without 1. */
  readonly random: () => number
  /** Undefined where no answer is kept. */
  readonly cache?: AnswerCache
  /** Whether what a tenant's calls say is kept in the log; never, unless given. */
  readonly keepsWords?: (tenantId: number) => boolean | Promise<boolean>
  /** Undefined where nothing is looked at. */
  readonly guards?: Pick<Guards, 'of'>
  /** Undefined where routes have no routers of plugins. */
  readonly routers?: Pick<PluginRouters, 'order'>
}

/** A call for vectors. */
type EmbedCall = Omit<RelayCall, 'request' | 'wire' | 'sticky' | 'maxAgeSeconds'> & {
  readonly request: NeutralEmbeddingRequest
}

/** Calls models: holds what a call may cost, finds a target that answers, and settles what it did cost. */
export class Relay {
  readonly #parts: RelayParts
  readonly #listeners = new Set<CallListener>()
  readonly #experience = new InputExperience()
  readonly #open = new Set<StreamRun>()

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  /**
   * Calls a model. Resolves with the whole answer, or once a stream says something; throws what the client is told: 403/4036 and 4031,
   * 404/4048, 400/4002, 429/4290, 4296 and 4298, 502/5021, 503/5034.
   */
  async start(given: RelayCall): Promise<RelayRun> {
    const asked = { ...given, kind: 'chat' as const }
    const plan = await this.#plan(asked)
    const guard = this.#guardOf(asked)
    if (!guard) return this.#answer(asked, plan)
    return this.#inRoom({ ...asked, guard }, guard, plan, async (call) => {
      const request = await this.#telling(call, () => guard.request(given.request))
      if (request === given.request) return this.#answer(call, plan)
      const allowed = { ...call, request }
      return this.#answer(allowed, await this.#plan(allowed))
    })
  }

  /** Turns texts into vectors; throws the same. */
  async embed({ request, ...by }: EmbedCall): Promise<Embedded> {
    const nothing = { messages: [], stream: false, includeUsage: false, extra: {} }
    const inputSize = sizeOfTexts(request)
    const asked = { ...by, request: { model: request.model, ...nothing }, inputSize, kind: 'embedding' as const }
    const plan = await this.#plan(asked)
    const guard = this.#guardOf(asked)
    if (!guard) return runEmbed(await this.#hold(asked, plan), request)
    return this.#inRoom({ ...asked, guard }, guard, plan, async (call) => {
      const allowed = await this.#telling(call, () => guard.embedding(request))
      return runEmbed(await this.#hold(call, plan), allowed)
    })
  }

  /** Throws 403/4036 where AI is switched off. */
  async demandOpen(tenantId: number): Promise<void> {
    const { catalogue, isOpenTo } = this.#parts
    if (catalogue.gateway.enabled && (await isOpenTo(tenantId))) return
    throw new AiAccessDisabledError()
  }

  /** Throws 403/4036 and 4031, 404/4048 and 400/4002 where a call to chat with a model would not be let in by its name. */
  async demandModel(asked: Parameters<typeof findModel>[1]): Promise<void> {
    await this.demandOpen(asked.spender.tenantId)
    findModel(this.#parts, { ...asked, kind: 'chat' })
  }

  /** Hears of every call that is over, until disposed. */
  observe(listener: CallListener): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /** Has streams that are silent say that they live; to be called each second. */
  beat(): void {
    const now = performance.now()
    for (const stream of this.#open) stream.beat(now)
  }

  async #answer(given: PlannedCall, plan: Plan): Promise<RelayRun> {
    const { cache, keepsWords, ledger } = this.#parts
    const isKept = await keepsWords?.(given.spender.tenantId)
    const call = isKept ? { ...given, heard: new Heard() } : given
    const seconds = cache?.secondsFor(call, plan) ?? 0
    if (!cache || seconds <= 0) return this.#run(call, plan)
    const key = cache.keyOf(call, plan)
    const known = await cache.find(key, seconds)
    const cached = known && (await runCached(known, plan, call, { ledger, ended: this.#ended }))
    if (cached) call.admitted?.()
    const keep = (answer: NeutralAnswer): void => {
      // Kept, what a guardrail could not judge would be taken for judged by those who ask later.
      const isJudged = !call.guard?.findings.some(({ outcome }) => outcome === 'failed')
      if (isJudged) void cache.keep(key, answer, seconds)
    }
    return cached ?? this.#run(call, plan, keep)
  }

  async #run(call: PlannedCall, plan: Plan, keep?: (answer: NeutralAnswer) => void): Promise<RelayRun> {
    const run = await this.#hold(call, plan)
    if (call.request.stream) {
      const { earlyCommitAfterMs, heartbeatS, drainMs } = this.#parts.catalogue.gateway.stream
      const settings = { earlyCommitAfterMs, heartbeatS, drainMs, open: this.#open, keep }
      const stream = new StreamRun(run, call, settings)
      await stream.begin()
      return stream
    }
    const whole = await runWhole(run, call)
    keep?.(whole.answer)
    return whole
  }

  async #plan(call: PlannedCall): Promise<Plan> {
    return this.#telling(call, async () => {
      await this.demandOpen(call.spender.tenantId)
      call.signal.throwIfAborted()
      return planCall(this.#parts, call)
    })
  }

  /** Does what guardrails take part in before the call has a hold of its own, with room for what they take. */
  async #inRoom<T>(
    given: PlannedCall,
    guard: CallGuard,
    plan: Plan,
    work: (call: PlannedCall) => Promise<T>,
  ): Promise<T> {
    if (!guard.seesRequests) return work(given)
    const room = await this.#telling(given, () => GuardRoom.take(given, guard, plan, this.#parts.ledger))
    const admitted = (): void => {
      room.leave()
      given.admitted?.()
    }
    try {
      return await work({ ...given, admitted })
    } catch (error) {
      room.charge(error)
      throw error
    }
  }

  #guardOf({
    spender: { tenantId },
    purpose,
    request: { model },
    traceId,
    signal,
  }: PlannedCall): CallGuard | undefined {
    // A guardrail's own calls would come back to it.
    return purpose === 'guardrail' ? undefined : this.#parts.guards?.of({ tenantId, model, traceId, signal })
  }

  async #hold(call: PlannedCall, wanted: Plan): Promise<Run> {
    const { catalogue, ledger, random, table, connection, routers } = this.#parts
    return this.#telling(call, async () => {
      const experience = this.#experience
      const { plan, hold } = await holdFor(wanted, call, { catalogue, random, ledger, experience })
      call.admitted?.()
      const { gateway } = catalogue
      const parts = { table, gateway, connection, random, routers, experience, ended: this.#ended }
      return new Run(parts, call, plan, hold)
    })
  }

  /** A refusal is told as a call that is over. */
  async #telling<T>(call: PlannedCall, work: () => Promise<T>): Promise<T> {
    const [at, begun] = [new Date(), performance.now()]
    try {
      return await work()
    } catch (error) {
      if (error instanceof AppError) this.#ended(refusedRecord(call, at, performance.now() - begun, error.reason))
      throw error
    }
  }

  readonly #ended: CallListener = (record) => {
    for (const listener of this.#listeners) listener(record)
  }
}

/** A call that no target was asked for. */
function refusedRecord(call: PlannedCall, at: Date, durationMs: number, outcome: string): CallRecord {
  const { spender, purpose, traceId, request } = call
  return {
    ...{ requestId: '', traceId, at, spender, purpose, model: request.model, routeId: undefined, route: undefined },
    ...{
      stream: request.stream,
      attempts: [],
      outcome,
      rows: [],
      findings: call.guard?.findings ?? [],
      durationMs,
      ttftMs: undefined,
    },
  }
}
