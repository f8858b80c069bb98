import type { AiCallableModel, NeutralMessage, NeutralTool } from '../../ai/contract.ts'
import type { AgentDefinition } from '../../agents/contract.ts'
import { writeSections } from '../contributions/sections.ts'
import type { ChatSection } from '../contract.ts'

/** About so many bytes are a token; what is sent is counted by the gateway, this only decides how much history fits. */
const bytesPerToken = 3
const usualWindow = 32_000
const usualOutput = 4_096

/** What the model is told before the conversation. */
interface PromptWish {
  readonly definition: AgentDefinition
  readonly sections: readonly ChatSection[]
  /** For the places {{name}} of the instructions. */
  readonly inputs: Readonly<Record<string, string>>
  readonly tools: readonly NeutralTool[]
  readonly model: AiCallableModel | undefined
}

/** What the model is told before the conversation, and how much of that there is room for; tokens, roughly. */
interface PromptHead {
  readonly system: readonly NeutralMessage[]
  readonly window: number
  /** By the system message and the tools. */
  readonly taken: number
  /** For the conversation, the answer's tokens left out. */
  readonly room: number
}

/** What comes before the conversation. */
export function beginPrompt({ definition, sections, inputs, tools, model }: PromptWish): PromptHead {
  const window = model?.contextWindow ?? usualWindow
  const output = definition.max_output_tokens ?? model?.defaultOutputTokens ?? model?.maxOutputTokens ?? usualOutput
  const text = writeSections(filled(definition.instructions, inputs), sections, tools.length > 0)
  const system: readonly NeutralMessage[] = text === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }]
  const taken = tokensOf(system) + tokensOf(tools)
  return { system, window, taken, room: Math.max(0, window - Math.min(output, window / 2) - taken) }
}

/** As much of the end of the conversation as there is room for: whole turns, each beginning with a question, the last one always. */
export function fitTurns(history: readonly NeutralMessage[], room: number) {
  const turns = turnsOf(history)
  const last = turns.at(-1) ?? []
  let used = tokensOf(last)
  const kept = [last]
  for (const turn of turns.slice(0, -1).toReversed()) {
    const size = tokensOf(turn)
    if (used + size > room) break
    used += size
    kept.unshift(turn)
  }
  return { messages: kept.flat(), used }
}

/** About how many tokens something has. */
function tokensOf(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / bytesPerToken)
}

function filled(instructions: string, inputs: Readonly<Record<string, string>>): string {
  return instructions.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(inputs, name) ? (inputs[name] ?? '') : whole,
  )
}

function turnsOf(history: readonly NeutralMessage[]): readonly (readonly NeutralMessage[])[] {
  const turns: NeutralMessage[][] = []
  for (const message of history) {
    if (message.role === 'user' || turns.length === 0) turns.push([message])
    else turns.at(-1)?.push(message)
  }
  return turns
}
