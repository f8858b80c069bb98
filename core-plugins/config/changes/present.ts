import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ChangeRequest, StoredTexts } from '../models.ts'
import type { NamedConfigTenant } from '../contract-extensions.ts'
import type { ConfigNames } from '../names.ts'
import { mask, type ValueCodec } from '../reading/value-codec.ts'

/** Makes request → response body; secrets are masked, also those of items that nobody declares any more. */
export function createChangePresenter(catalogue: Catalogue, codec: ValueCodec, names: ConfigNames) {
  const present = (groupCode: string, texts: StoredTexts): Readonly<Record<string, unknown>> => {
    const items = catalogue.findGroup(groupCode)?.items
    const entries = Object.entries(texts).map(([key, text]) => {
      const item = items?.get(key)
      const unknown = text === null ? null : mask
      return [key, text !== null && item ? codec.mask(item, JSON.parse(text)) : unknown] as const
    })
    return Object.fromEntries(entries)
  }
  /** For a tenant, or with 0 for the platform; names are asked for all requests at once. */
  return async (requests: readonly ChangeRequest[], reader: number) => {
    const people = requests.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy])
    const [tenants, users] = await Promise.all([
      names.tenants(requests.map(({ tenantId }) => tenantId)),
      names.users(people, reader),
    ])
    return requests.map((request) => presentOne(request, tenants, users))
  }

  function presentOne(
    request: ChangeRequest,
    tenants: ReadonlyMap<number, NamedConfigTenant>,
    users: ReadonlyMap<number, string>,
  ) {
    const nameOf = (id: number | null) => users.get(id ?? 0) ?? null
    return {
      id: request.id,
      tenant_id: request.tenantId,
      tenant: tenants.get(request.tenantId) ?? null,
      group: request.groupCode,
      keys: Object.keys(request.after).sort(),
      before: present(request.groupCode, request.before),
      after: present(request.groupCode, request.after),
      state: request.state,
      reason: request.reason,
      requested_by: request.requestedBy,
      requested_by_name: nameOf(request.requestedBy),
      requested_at: request.requestedAt.toISOString(),
      decided_by: request.decidedBy,
      decided_by_name: nameOf(request.decidedBy),
      decided_at: request.decidedAt?.toISOString() ?? null,
    }
  }
}

/** Makes requests → response bodies. */
export type PresentChange = ReturnType<typeof createChangePresenter>
