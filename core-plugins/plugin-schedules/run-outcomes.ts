/** The words for how a run ended: `lost` with its hosts at every attempt or because somebody cancelled it, `missed` while none ran. */
export const runOutcomes = ['succeeded', 'failed', 'lost', 'missed'] as const
