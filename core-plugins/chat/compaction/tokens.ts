import type { NeutralMessage } from '../../ai/contract.ts'

/** About so many bytes are a token; what is sent is counted by the gateway, this only decides what fits. */
export const bytesPerToken = 3

/** About how many tokens a text is. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** About how many tokens messages are, with their calls of tools. */
export function tokensIn(messages: readonly NeutralMessage[]): number {
  return messages.length === 0 ? 0 : tokensOf(JSON.stringify(messages))
}
