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
      {
        key: 'ai_routing_model',
        type: 'STRING',
        name: texts.of('ai_routing_model'),
        description: texts.of('ai_routing_model.description'),
        default: '',
        rules: { max_length: 200 },
      },
      {
        key: 'ai_routing_embedding_model',
        type: 'STRING',
        name: texts.of('ai_routing_embedding_model'),
        description: texts.of('ai_routing_embedding_model.description'),
        default: '',
        rules: { max_length: 200 },
      },
      {
        key: 'ai_default_agent',
        type: 'STRING',
        name: texts.of('ai_default_agent'),
        description: texts.of('ai_default_agent.description'),
        default: '',
        rules: { max_length: 64 },
      },
    ],
  },
]
