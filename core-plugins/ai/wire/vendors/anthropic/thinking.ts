import { cannotCarry } from '../../faults.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { NeutralRequest } from '../../neutral.ts'

/** The least that Anthropic takes. */
const least = 1024
/** Efforts as budgets, as LiteLLM publishes them. */
const budgets: Readonly<Record<string, number>> = { minimal: 1024, low: 1024, medium: 2048, high: 4096, xhigh: 8192 }

/** How the model is to think; a budget is always less than what may be said in all. */
export function writeThinking({ reasoning, source }: NeutralRequest, maxOutputTokens: number): JsonObject | undefined {
  const own = source?.wire === 'messages' ? source.body['thinking'] : undefined
  if (isObject(own) && own['type'] !== 'enabled') return own
  if (!reasoning) return undefined
  if (reasoning.off) return { type: 'disabled' }
  const { budgetTokens, effort } = reasoning
  const wanted = budgetTokens ?? budgets[effort ?? 'medium'] ?? budgets['medium'] ?? least
  if (maxOutputTokens <= least) throw cannotCarry('reasoning', `to think takes an output of more than ${least} tokens`)
  return { ...(isObject(own) && own), type: 'enabled', budget_tokens: Math.min(wanted, maxOutputTokens - 1) }
}
