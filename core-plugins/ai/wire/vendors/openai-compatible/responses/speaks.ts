import type { NeutralRequest } from '../../../neutral.ts'
import type { ChatOptions } from '../../../vendor.ts'

/**
 * Whether a request goes to `/responses`: to models that have it, for clients of every dialect but chat completions, where it says nothing
 * that this wire has no word for. Thoughts go on from turn to turn there alone.
 */
export function speaksResponses({ source, stop, messages }: NeutralRequest, { capabilities }: ChatOptions): boolean {
  if (capabilities?.['responses'] !== true || source?.wire === 'chat_completions') return false
  const hasStops = stop !== undefined && stop.length > 0
  return !hasStops && !messages.some(({ parts }) => parts.some(({ type }) => type === 'audio'))
}
