import { AppError } from '#kernel'
import type { AiGateway, NeutralMessage } from '../../ai/contract.ts'
import type { AiLedger, Spender } from '../../ai-ledger/contract.ts'
import type { PluginTools } from '../../plugin-offers/contract.ts'
import type { ContributorTable } from '../contributions/contributor-table.ts'
import { putTogether } from '../contributions/contributed.ts'
import { loadPictures } from '../files/load-pictures.ts'
import type { OwnFiles } from '../files/own-files.ts'
import type { WholeResults } from '../files/whole-results.ts'
import type { ChatTurn } from '../contract.ts'
import type { FinishReason } from '../run-events.ts'
import { makeCalls, refusedCall, type AskedCall, type CallContext, type ShownCall } from './call-tools.ts'
import type { FittedHistory } from './fit-history.ts'
import { runLoop, type LoopListener, type Progress } from './loop.ts'
import { beginPrompt, fitTurns } from './prompt.ts'
import { offeredTools } from './tool-set.ts'

/** What answering stands on. */
export interface AnswerParts {
  readonly gateway: AiGateway
  readonly tools: PluginTools
  readonly ledger: Pick<AiLedger, 'tool'>
  readonly contributors: Pick<ContributorTable, 'prepare'>
  readonly files: OwnFiles
  readonly results: Pick<WholeResults, 'keep'>
}

/** What the user decided on a call that waited. */
export interface DecidedCall {
  readonly call: AskedCall
  /** As the user was asked about it. */
  readonly shown: ShownCall
  readonly isAllowed: boolean
}

/** A question, and how it is to be answered. */
interface AnswerWish {
  readonly turn: ChatTurn
  /** Pays for it. */
  readonly spender: Spender
  readonly inputs: Readonly<Record<string, string>>
  readonly maxOutputTokens: number | undefined
  readonly temperature: number | undefined
  readonly decided: readonly DecidedCall[]
  /** The conversation up to the question, with at most about so many tokens if that can be. */
  readonly history: (room: number) => Promise<FittedHistory>
}

/** What hears of an answer as it is made. */
interface AnswerListener extends LoopListener {
  /** It was let in: what fails from now on is no refusal. */
  admitted(): void
}

/** Answers a question with the agent's model and tools. Throws what the gateway throws, and the signal's reason once it is aborted. */
export async function answer(
  { gateway, tools, contributors, ledger, files, results }: AnswerParts,
  wish: AnswerWish,
  progress: Progress,
  listener: AnswerListener,
): Promise<FinishReason | 'awaiting_confirmation'> {
  const { turn, decided } = wish
  const { agent, user, tenant, runId, traceId, signal, locale } = turn
  const { definition } = agent
  const brought = putTogether(await contributors.prepare(turn))
  const offered = offeredTools(agent, tools, brought.tools, locale)
  const model = gateway.find(definition.model, user.tenantId)
  const head = beginPrompt({
    ...{ definition, sections: brought.sections, inputs: wish.inputs },
    tools: [...offered.values()].map(({ forModel }) => forModel),
    model,
  })
  const history = await wish.history(head.room)
  const fitted = fitTurns(history.messages, head.room)
  listener.emit({
    kind: 'context.ready',
    data: {
      ...{ window: head.window, used: head.taken + fitted.used, compaction: history.compaction },
      ...brought.context,
    },
  })
  // What is not stored keeps no files.
  const keepWhole: CallContext['keepWhole'] = turn.stored ? (call, bytes) => results.keep(user, call, bytes) : undefined
  const context = { offered, ledger, spender: wish.spender, user, tenant, runId, traceId, signal, keepWhole }
  if (decided.length > 0) {
    listener.admitted()
    progress.said.push(...(await decide(decided, { ...context, emit: (event) => listener.emit(event) }, progress)))
  }
  // What is not stored names no files of ours.
  const said = turn.stored ? await loadPictures(fitted.messages, { user, model, files, signal }) : fitted.messages
  let isAdmitted = false
  const finish = await runLoop(
    {
      ...{ agent, gateway, context },
      call: {
        ...{ spender: wish.spender, purpose: 'chat', signal, traceId },
        ...(turn.stored && { sticky: turn.stored.conversationId }),
        request: requestOf(wish),
        admitted() {
          isAdmitted = true
          listener.admitted()
        },
      },
      canAsk: turn.stored !== null,
      prompt: [...head.system, ...said],
    },
    progress,
    listener,
  ).catch((error: unknown) => {
    if (!isAdmitted || !isBlocked(error)) throw error
    return takeBack(progress, listener)
  })
  progress.citations.push(...brought.cite(progress.content))
  return finish
}

function isBlocked(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'content_blocked'
}

/** A guardrail refused what was said: nothing of it stays. What guardrails mask was never told. */
function takeBack(progress: Progress, listener: LoopListener): FinishReason {
  progress.content = ''
  progress.open = ''
  listener.emit({ kind: 'message.replaced', data: { text: '', reason: 'content_blocked' } })
  return 'content_filter'
}

function requestOf({ turn, maxOutputTokens, temperature: wanted }: AnswerWish) {
  const { definition } = turn.agent
  const most = [definition.max_output_tokens ?? undefined, maxOutputTokens].filter((each) => each !== undefined)
  const temperature = wanted ?? definition.temperature ?? undefined
  return {
    ...{ model: definition.model, stream: true, includeUsage: true, extra: {} },
    ...(most.length > 0 && { maxOutputTokens: Math.min(...most) }),
    ...(temperature !== undefined && { temperature }),
  }
}

const otherTool = 'The tool that the user was asked about is not there any more.'

/**
 * Makes the calls that the user allowed; the model is told of those that were refused. Since it was asked for, the agent may have got another
 * tool of the same name: the user said nothing of that one.
 */
async function decide(
  decided: readonly DecidedCall[],
  context: CallContext,
  progress: Progress,
): Promise<readonly NeutralMessage[]> {
  const isSame = ({ call, shown }: DecidedCall): boolean => {
    const tool = context.offered.get(call.name)
    return tool?.origin === shown.plugin && tool.shownName === shown.name
  }
  const allowed = decided.filter((each) => each.isAllowed && isSame(each))
  const made = await makeCalls(
    allowed.map(({ call }) => call),
    context,
  )
  const refused = decided.flatMap((each) => {
    if (allowed.includes(each)) return []
    return [each.isAllowed ? refusedCall(each.shown, otherTool) : refusedCall(each.shown)]
  })
  progress.toolCalls.push(...[...made, ...refused].map(({ record }) => record))
  return [...made, ...refused].map(({ result }) => result)
}
