import { useQuery } from '@tanstack/vue-query'
import type { SlotsBody } from '../../../plugins/wire.ts'
import { call } from './client.ts'

/** An entry of a plugin that the caller may open. */
export type SlotEntry = SlotsBody['pages'][number]

/** Under which they are kept. */
export const slotsKey = ['/plugins/slots'] as const

/** The entries of plugins for the caller; read again when what runs, or what the caller may, changes. */
export function useSlots() {
  return useQuery({
    queryKey: slotsKey,
    queryFn: ({ signal }) => call<SlotsBody>('GET', '/plugins/slots', { signal }),
  })
}
