import type { Citation } from '../../../api/chat.ts'
import { session } from '../../../session/session.ts'

/** Where the document of a source is read, for those who may look into its knowledge base. */
export function documentPlace({ knowledge_base_id: base, title }: Citation): string | undefined {
  if (!session.can('tenant_agent:list') || !session.can('tenant_agent:detail')) return undefined
  return `/tenant/knowledge-bases/${encodeURIComponent(base)}?${new URLSearchParams({ q: title }).toString()}`
}
