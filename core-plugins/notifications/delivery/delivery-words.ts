import type { Said } from '#kernel'
import type { DeliveryPart } from '../../mail/contract.ts'
import { texts } from '../texts/texts.ts'

/** What administrators read in the console about a change of delivery. */
export function deliveryWords(part: DeliveryPart, by: string): { readonly title: Said; readonly body: Said } {
  const body = by === '' ? texts.keep('notice.delivery_by_platform') : texts.keep('notice.delivery_by', { by })
  return { title: texts.keep(`notice.delivery_${part}`), body }
}
