import type { Stage } from './stage.ts'

const everybody = { tenant: 'all' } as const

interface MessageRow {
  readonly id: string
  readonly conversation_id: string
  readonly role: string
}

/** As if a conversation had gone on until there are so many messages: those that it has again and again. */
export async function lengthen({ host }: Stage, conversation: string, many: number): Promise<void> {
  const { knex } = host.kernel.database
  const rows = (await knex('ai_messages')
    .queryContext(everybody)
    .where({ conversation_id: conversation })
    .orderBy('id')) as readonly MessageRow[]
  let parent = rows.at(-1)?.id ?? ''
  const begun = parent.slice(0, -16)
  const more = Array.from({ length: many - rows.length }, (_, at) => {
    const row = rows[at % rows.length]
    // After those that were there, whatever chance made of theirs.
    const id = `${begun}ZZZZZZ${String(at).padStart(10, '0')}`
    const next = { ...row, id, parent_id: parent, client_message_id: null }
    parent = id
    return next
  })
  await knex('ai_messages').queryContext(everybody).insert(more)
  await knex('ai_conversations')
    .queryContext(everybody)
    .where({ id: conversation })
    .update({ leaf_id: parent, message_count: many })
}
