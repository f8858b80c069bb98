import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from '../texts/texts.ts'

/** What tenants say of their chats. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_chat',
    name: texts.of('tenant_chat'),
    icon: 'message-circle',
    sort: 180,
    scope: 'ALL_TENANTS',
    items: [
      {
        key: 'ai_compaction',
        type: 'BOOLEAN',
        name: texts.of('ai_compaction'),
        description: texts.of('ai_compaction.description'),
        default: true,
      },
      {
        key: 'ai_compaction_model',
        type: 'STRING',
        name: texts.of('ai_compaction_model'),
        description: texts.of('ai_compaction_model.description'),
        default: '',
        rules: { max_length: 200 },
      },
    ],
  },
]
