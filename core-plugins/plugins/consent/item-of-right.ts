import type { ConsentItem, DiffEntry } from '#sandbox'

/** The item of a consent under which an administrator reads of a right. */
export function itemOfRight({ kind, detail }: Pick<DiffEntry, 'kind' | 'detail'>): ConsentItem['capability'] {
  switch (kind) {
    case 'capability':
      return detail as ConsentItem['capability']
    case 'host':
      return 'http'
    case 'public_route':
      return 'routes'
    case 'subscription':
      return 'events'
    case 'service':
      return 'services:use'
    case 'table':
      return 'db:own_tables'
    case 'slot':
      return 'ui'
    case 'licensing':
      return 'licensing'
    case 'limit':
      if (detail.startsWith('mail.')) return 'mail'
      return detail.startsWith('storage.') ? 'storage' : 'limits'
  }
}
