import type { TimelineEntry } from '../../chat/contract.ts'
import type { remember } from './remember.ts'

const titles = { added: 'Remembered', superseded: 'Corrected' } as const

/** Something newly remembered, for the timeline of its conversation: by its id alone, since its text may be forgotten. */
export function memoryEntry(
  became: Awaited<ReturnType<typeof remember>>,
  actor: TimelineEntry['actor'],
): readonly TimelineEntry[] {
  if (became.became === 'refused' || became.became === 'merged') return []
  const { id, kind, origin } = became.memory
  return [{ kind: 'memory', actor, title: titles[became.became], ref: { type: 'memory', id }, data: { kind, origin } }]
}
