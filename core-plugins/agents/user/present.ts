import { pickText, type Locale } from '#kernel'
import type { AiCallableModel } from '../../ai/contract.ts'
import type { AgentToolOffer } from '../contract.ts'
import type { AgentRow, AgentVersionRow } from '../tables.ts'

/** Files whose text agents read. */
const documents = [
  ...['text/plain', 'text/markdown', 'text/csv', 'text/html', 'application/json', 'application/pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]

/** What else is known of an agent. */
interface Beside {
  readonly model: AiCallableModel | undefined
  /** Those that the tenant has now. */
  readonly tools: readonly AgentToolOffer[]
  readonly usedAt: Date | undefined
  readonly locale: Locale
}

/** An agent as its users see it: no instructions, no model, nothing of a draft. */
export function presentForUser(
  row: AgentRow,
  { version, definition }: AgentVersionRow,
  { model, tools, usedAt, locale }: Beside,
) {
  const { name, description, avatar_url, tags, opening_message, suggested_questions } = definition
  const sees = model?.capabilities['vision'] === true
  const callable = definition.tools.flatMap((wanted) =>
    tools.filter((tool) => tool.plugin === wanted.plugin && tool.name === wanted.name),
  )
  return {
    ...{ id: row.id, code: row.code, name, description, avatar_url, tags, opening_message, suggested_questions },
    capabilities: {
      vision: sees,
      attachments: [...(sees ? ['image/*'] : []), ...documents],
      tools: callable.map((tool) => ({ name: tool.name, title: pickText(tool.title, locale), plugin: tool.plugin })),
      knowledge: (definition.knowledge_base_ids ?? []).length > 0,
      memory: definition.memory?.enabled ?? true,
    },
    version,
    published_at: row.publishedAt?.toISOString() ?? null,
    last_used_at: usedAt?.toISOString() ?? null,
  }
}
