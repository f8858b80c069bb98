import type { UsableAgent } from '../../agents/contract.ts'

/** What a message is that an agent is looked for. */
export interface RoutedMessage {
  readonly text: string
  readonly roles: readonly string[]
  /** Media types of its files. */
  readonly attachmentTypes: readonly string[]
}

/** How well an agent fits a message. */
export interface RatedAgent {
  readonly agent: UsableAgent
  /** 0 to 1. */
  readonly confidence: number
  readonly reason: string
}
