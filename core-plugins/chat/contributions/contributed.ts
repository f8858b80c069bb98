import type { ChatCitation, ChatContribution } from '../contract.ts'

/** What contributions come to together. */
interface Contributed {
  readonly sections: NonNullable<ChatContribution['sections']>
  readonly tools: NonNullable<ChatContribution['tools']>
  readonly context: { readonly memories: number; readonly retrieved: number; readonly mode: string | null }
  cite(answer: string): readonly ChatCitation[]
}

/** Puts contributions together; figures are added up, and the first way of retrieving is named. */
export function putTogether(contributions: readonly ChatContribution[]): Contributed {
  const sum = (of: 'memories' | 'retrieved') =>
    contributions.reduce((all, { context }) => all + (context?.[of] ?? 0), 0)
  return {
    sections: contributions.flatMap(({ sections = [] }) => sections),
    tools: contributions.flatMap(({ tools = [] }) => tools),
    context: {
      ...{ memories: sum('memories'), retrieved: sum('retrieved') },
      mode: contributions.find(({ context }) => context?.mode !== undefined)?.context?.mode ?? null,
    },
    cite: (answer) => contributions.flatMap(({ cite }) => cite?.(answer) ?? []),
  }
}
