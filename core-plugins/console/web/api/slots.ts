import { useQuery } from '@tanstack/vue-query'
import { call } from './client.ts'

/** An entry of a plugin that the caller may open. */
export interface SlotEntry {
  readonly plugin: string
  readonly id: string
  readonly area: 'admin' | 'tenant'
  readonly title: string
  readonly url: string
  readonly size: { readonly w: number; readonly h: number } | null
  readonly version: string
  readonly release_hash: string
  readonly plugin_title: string
  readonly icon: string | null
  readonly publisher: string
  readonly trust: string
  /** Its author works on it here: what its code throws is shown. */
  readonly in_development?: boolean
  /** When its author saved this release, in milliseconds since 1970. */
  readonly saved_at?: number | null
  readonly permissions: readonly string[]
}

type SlotGroup =
  'pages' | 'dashboard_widgets' | 'settings_tabs' | 'header_widgets' | 'floating_panels' | 'notification_ui'

/** Under which they are kept. */
export const slotsKey = ['/plugins/slots'] as const

/** The entries of plugins for the caller; read again when what runs, or what the caller may, changes. */
export function useSlots() {
  return useQuery({
    queryKey: slotsKey,
    queryFn: ({ signal }) =>
      call<Readonly<Record<SlotGroup, readonly SlotEntry[]>>>('GET', '/plugins/slots', { signal }),
  })
}
