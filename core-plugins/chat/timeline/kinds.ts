import type { TimelineKind } from '../contract.ts'

/** What happens in conversations. */
export const kindsOfTimeline: readonly TimelineKind[] = [
  ...([
    'message',
    'tool',
    'route',
    'compaction',
    'memory',
    'retrieval',
    'guardrail',
    'error',
    'title',
    'quota',
  ] as const),
]
