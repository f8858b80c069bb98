import type { UsableAgent } from '../../agents/contract.ts'

/** What an agent says of itself, and what people say to it. */
export function wordsOfAgent({ definition }: UsableAgent): string {
  const { name, description, tags, suggested_questions: questions, routing } = definition
  return [name, description, ...tags, ...questions, ...(routing?.samples ?? [])].join('\n')
}
