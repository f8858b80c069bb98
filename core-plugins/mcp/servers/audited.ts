import type { PresentedServer } from './present.ts'

/** What a change of a server changes. */
export function content(server: PresentedServer): object {
  return { ...server, version: 0, updated_at: '' }
}

/** A server for the log; of tools their names and hashes: what a stranger wrote is not kept there. */
export function audited({ tools, ...rest }: PresentedServer): object {
  const told = tools.filter(({ allowed }) => allowed)
  return {
    ...rest,
    tools: told.map(({ name, state, effect, confirm, approved_hash }) => ({
      name,
      state,
      effect,
      confirm,
      approved_hash,
    })),
  }
}
