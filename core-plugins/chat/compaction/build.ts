import { AppError } from '#kernel'
import type { AiSpent } from '../../ai/contract.ts'
import { askModel, type SummaryTask } from './ask-model.ts'
import { evictTurns } from './evict.ts'
import { extract } from './extractive.ts'
import { tokensOf } from './tokens.ts'
import { tokensOfTurn } from './turns.ts'
import type { CompactMethod, Summary, Turn } from './types.ts'
import { verify } from './verify.ts'
import { writeSummary } from './write-summary.ts'

/** What is to be shortened. */
interface BuildWish {
  /** What the snapshot covers and no earlier one does. */
  readonly turns: readonly Turn[]
  /** Of what stands before them. */
  readonly previous: Summary | undefined
  /** Tokens of all that the snapshot covers. */
  readonly before: number
  readonly mostTokens: number
  readonly method: CompactMethod
  readonly task: SummaryTask
}

/** A snapshot before it is kept. */
interface BuiltSummary {
  readonly summary: Summary
  readonly text: string
  readonly tokens: number
  readonly fidelity: number
  readonly method: 'summary' | 'extractive'
  readonly model: string | null
  readonly costNano: bigint
  /** How it went with the model. */
  readonly asked: 'answered' | 'failed' | 'not_asked'
}

/** A model is asked so often at the most; then what was said speaks for itself. */
const tries = 2
/** With all its calls. */
const attemptMs = 40_000
const shortLists = ['tool_state', 'facts', 'decisions', 'open_items', 'preferences'] as const

/** Shortens turns, by a model or without one, and makes sure that what the user said exactly is in it. Throws the signal's reason alone. */
export async function buildSummary({
  turns,
  previous,
  before,
  mostTokens,
  method,
  task,
}: BuildWish): Promise<BuiltSummary> {
  const short = evictTurns(turns)
  let costNano = 0n
  const spent = ({ costNano: more }: AiSpent): void => {
    costNano += more
  }
  const finish = (summary: Summary) => {
    const bare = shrink(summary, Math.min(mostTokens, Math.max(1, before - 1)))
    const size = tokensOf(writeSummary(bare))
    const room = Math.min(Math.max(mostTokens - size, mostTokens / 2), before - size - tokensOf('Said exactly:\n') - 8)
    const verified = verify(bare, turns, previous?.verbatim ?? [], Math.max(0, room))
    const text = writeSummary(verified.summary)
    return { ...verified, text, tokens: tokensOf(text) }
  }
  for (let count = 0; method !== 'extractive' && count < tries; count++) {
    const made = await attempt(short, previous, task, spent)
    if (made === 'never') break
    if (made === 'failed') continue
    const isShorter = tokensOf(writeSummary(made.summary)) < before
    if (isShorter) {
      return { ...finish(made.summary), method: 'summary', model: made.model, costNano, asked: 'answered' }
    }
  }
  const summary = extract(short, previous, Math.min(mostTokens, Math.floor(before * 0.6)))
  const asked = method === 'extractive' ? 'not_asked' : 'failed'
  return { ...finish(summary), method: 'extractive', model: null, costNano, asked }
}

/** About how many tokens turns have. */
export function tokensOfTurns(turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0)
}

async function attempt(
  turns: readonly Turn[],
  previous: Summary | undefined,
  task: SummaryTask,
  spent: (spent: AiSpent) => void,
) {
  const late = AbortSignal.timeout(attemptMs)
  try {
    const signal = AbortSignal.any([task.signal, late])
    return (await askModel(turns, previous, { ...task, signal }, spent)) ?? ('failed' as const)
  } catch (error) {
    task.signal.throwIfAborted()
    if (late.aborted) return 'failed' as const
    if (!(error instanceof AppError)) throw error
    // What is refused is refused again; what failed at the vendor's may be better elsewhere.
    return error.status < 500 ? ('never' as const) : ('failed' as const)
  }
}

/** Without the oldest lines of its longest lists, until it has at most so many tokens. */
function shrink(summary: Summary, mostTokens: number): Summary {
  const lists = new Map(shortLists.map((name) => [name, [...summary[name]]]))
  const now = (): Summary => ({ ...summary, ...Object.fromEntries(lists), verbatim: [] })
  let size = tokensOf(writeSummary(now()))
  for (const [, lines] of [...lists].sort(([, a], [, b]) => b.join('').length - a.join('').length)) {
    while (size > mostTokens && lines.length > 0) size -= tokensOf(`- ${lines.shift() ?? ''}\n`)
  }
  const left = now()
  const over = tokensOf(writeSummary(left)) - mostTokens
  return over > 0
    ? { ...left, goal: left.goal.slice(0, Math.max(0, left.goal.length - over * 3)).toWellFormed() }
    : left
}
