import { cannotCarry } from '../faults.ts'
import type { NeutralRequest } from '../neutral.ts'

/** Fields of OpenAI's dialects without which an answer would not be what was asked for. */
const meaningful: ReadonlySet<string> = new Set([
  ...['modalities', 'audio', 'functions', 'function_call', 'web_search_options', 'prompt'],
])

/** What a vendor with a wire of its own leaves out of a request from another; throws for what cannot be left out. */
export function foreignExtras({ extra, metadata, seed, logprobs, topLogprobs }: NeutralRequest): readonly string[] {
  const refused = Object.keys(extra).find((name) => meaningful.has(name))
  if (refused !== undefined) throw cannotCarry(refused, 'its provider has nothing like it')
  if (logprobs) throw cannotCarry('logprobs', 'its provider tells none')
  return [
    ...Object.keys(extra),
    ...(metadata ? ['metadata'] : []),
    ...(seed === undefined ? [] : ['seed']),
    ...(topLogprobs === undefined ? [] : ['top_logprobs']),
  ]
}

/** Anthropic's marks of what is to be cached, for vendors that cache by themselves. */
export function cacheMarks({ messages, tools = [] }: NeutralRequest): readonly string[] {
  const marked = messages.some(({ parts }) => parts.some((part) => 'cache' in part && part.cache !== undefined))
  return marked || tools.some(({ cache }) => cache !== undefined) ? ['cache_control'] : []
}
