import type { Knex } from 'knex'
import { createSortableId, type TenantResolver } from '#kernel'
import { demoKnowledgeBaseId, type AgentDefinition } from './contract.ts'
import { AgentRow, AgentVersionRow } from './tables.ts'

const usual = {
  ...{ avatar_url: null, model: 'demo', temperature: null, max_output_tokens: null, tools: [], max_steps: 8 },
  ...{ show_reasoning: false, generate_titles: false },
  memory: { enabled: true, extract: true, tool: false, scope: 'user' },
} as const

const agents: readonly (readonly [string, AgentDefinition])[] = [
  [
    'support',
    {
      ...usual,
      name: 'Support',
      description: 'Answers questions about orders, refunds and deliveries',
      tags: ['help'],
      opening_message: 'Hello. What can I do for you?',
      suggested_questions: ['Where is my order?', 'I want my money back.', '退款要多久？'],
      instructions: 'You help customers of a shop. Be brief and friendly.',
      knowledge_base_ids: [demoKnowledgeBaseId],
    },
  ],
  [
    'tracker',
    {
      ...usual,
      name: 'Tracker',
      description: 'Looks up what became of a parcel by the number of its order, with a tool of a plugin',
      tags: ['help'],
      opening_message: 'Which order is it about? The demo model calls a tool whose name you say.',
      suggested_questions: ['order_status 1009'],
      instructions: 'You tell customers of a shop what became of their orders. Look each order up.',
      tools: [{ plugin: 'acme.shop-orders', name: 'order_status' }],
    },
  ],
  [
    'writer',
    {
      ...usual,
      name: 'Writer',
      description: 'Writes and corrects texts',
      tags: ['text'],
      opening_message: 'Which text shall we work on?',
      suggested_questions: ['Make this shorter.', 'Write an invitation to a meeting.'],
      instructions: 'You write clear, plain texts.',
    },
  ],
]

/** Gives the demo tenant of a first start agents on the demo provider, for everybody. */
export async function seedDemo(db: Knex, tenants: Pick<TenantResolver, 'byCode'>): Promise<void> {
  const demo = await tenants.byCode('demo')
  if (!demo) return
  await db.transaction(async (trx) => {
    for (const [code, definition] of agents) {
      const agentId = createSortableId('agt')
      await AgentRow.of(demo.id, trx).insert({
        ...{ id: agentId, code, name: definition.name, tags: [...definition.tags], draft: definition },
        ...{ status: 'published', accessMode: 'all', accessRoles: [], accessOrgs: [], accessUsers: [] },
        ...{ activeVersion: 1, lastVersion: 1, publishedAt: new Date() },
      })
      await AgentVersionRow.of(demo.id, trx).insert({ agentId, version: 1, definition, note: '' })
    }
  })
}
