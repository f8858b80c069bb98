import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ChangeRequest, StoredTexts } from '../models.ts'
import { mask, type ValueCodec } from '../reading/value-codec.ts'

/** Makes request → response body; secrets are masked, also those of items that nobody declares any more. */
export function createChangePresenter(catalogue: Catalogue, codec: ValueCodec) {
  const present = (groupCode: string, texts: StoredTexts): Readonly<Record<string, unknown>> => {
    const items = catalogue.findGroup(groupCode)?.items
    const entries = Object.entries(texts).map(([key, text]) => {
      const item = items?.get(key)
      const unknown = text === null ? null : mask
      return [key, text !== null && item ? codec.mask(item, JSON.parse(text)) : unknown] as const
    })
    return Object.fromEntries(entries)
  }
  return (request: ChangeRequest) => ({
    id: request.id,
    tenant_id: request.tenantId,
    group: request.groupCode,
    keys: Object.keys(request.after).sort(),
    before: present(request.groupCode, request.before),
    after: present(request.groupCode, request.after),
    state: request.state,
    reason: request.reason,
    requested_by: request.requestedBy,
    requested_at: request.requestedAt.toISOString(),
    decided_by: request.decidedBy,
    decided_at: request.decidedAt?.toISOString() ?? null,
  })
}

/** Makes request → response body. */
export type PresentChange = ReturnType<typeof createChangePresenter>
