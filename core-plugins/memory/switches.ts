import type { AgentDefinition } from '../agents/contract.ts'
import type { ConfigReader } from '../config/contract.ts'
import type { Preferences } from '../preferences/contract.ts'
import type { Owner } from './notes/owner.ts'

/** How an agent remembers. */
export interface AgentMemory {
  /** Whether it is told what is remembered, and what users ask it to remember is. */
  readonly enabled: boolean
  /** Whether a model looks for what is worth remembering after its answers. */
  readonly extract: boolean
  /** Whether its model may save something itself. */
  readonly tool: boolean
  /** Whether what it learns is for the tenant's other agents too. */
  readonly scope: 'user' | 'agent'
}

const usual: AgentMemory = { enabled: true, extract: false, tool: false, scope: 'user' }

/** Who may switch remembering off: the tenant, the agent's administrators, and the user. */
export class Switches {
  readonly #config: ConfigReader
  readonly #preferences: Preferences

  constructor(config: ConfigReader, preferences: Preferences) {
    this.#config = config
    this.#preferences = preferences
  }

  /** How an agent remembers, as its administrators set it. */
  asSet({ memory }: Pick<AgentDefinition, 'memory'>): AgentMemory {
    return { ...usual, ...memory }
  }

  /** How an agent remembers for a user; undefined where somebody switched it off. */
  async of(owner: Owner, definition: Pick<AgentDefinition, 'memory'>): Promise<AgentMemory | undefined> {
    const memory = this.asSet(definition)
    return memory.enabled && (await this.isOnFor(owner)) ? memory : undefined
  }

  /** Whether the tenant and the user have it switched on. */
  async isOnFor(owner: Owner): Promise<boolean> {
    if (!(await this.#config.get<boolean>('ai_memory', owner.tenantId, true))) return false
    return this.#preferences.get<boolean>('ai_memory', owner)
  }
}
