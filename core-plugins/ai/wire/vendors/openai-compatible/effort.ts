import type { NeutralThinking } from '../../neutral.ts'

/** How much is to be thought, in OpenAI's words: budgets as the effort that comes closest, at the bounds of LiteLLM's published table. */
export function effortOf({ effort, budgetTokens, off }: NeutralThinking): string | undefined {
  if (off) return 'none'
  if (effort !== undefined || budgetTokens === undefined) return effort
  if (budgetTokens < 2048) return 'low'
  return budgetTokens < 4096 ? 'medium' : 'high'
}
