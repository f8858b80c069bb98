import type { AgentDefinition } from '../../agents/contract.ts'
import type { AiCallableModel, NeutralTool } from '../../ai/contract.ts'
import { tokensOf } from './tokens.ts'

const usualWindow = 32_000
const usualOutput = 4_096

/** Shares of the budget at which older messages are summarised, and what they may have afterwards. */
export const trigger = 0.75
export const tailShare = 0.3
export const summaryShare = 0.1

/** How many tokens a prompt may have: what the window has left beside the answer and the tools. */
export function budgetOf(
  { max_output_tokens: wanted }: Pick<AgentDefinition, 'max_output_tokens'>,
  model: AiCallableModel | undefined,
  tools: readonly NeutralTool[],
): { readonly window: number; readonly budget: number } {
  const window = model?.contextWindow ?? usualWindow
  const output = wanted ?? model?.defaultOutputTokens ?? model?.maxOutputTokens ?? usualOutput
  const schemas = tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools))
  return {
    window,
    budget: Math.max(Math.floor(window / 4), Math.floor(window - Math.min(output, window / 2) - schemas)),
  }
}
