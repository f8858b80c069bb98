import type { Knex } from 'knex'
import { enableTenantRows, noteChanges } from '#kernel'

/** Models, of the platform (tenant 0) and of tenants, their versions, which never change, and their names. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('ai_models', (table) => {
    table.text('id').primary()
    table.integer('tenant_id').notNullable()
    table.text('name').notNullable()
    table.jsonb('aliases').notNullable()
    table.text('display_name').notNullable()
    table.text('kind').notNullable()
    table.text('status').notNullable()
    table.jsonb('capabilities').notNullable()
    table.jsonb('tags').notNullable()
    table.integer('last_version').notNullable()
    // Grows with every change of the model or of which version is used.
    table.integer('revision').notNullable().defaultTo(1)
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('deleted_at')
    table.index(['tenant_id'])
  })
  await db.schema.createTable('ai_model_names', (table) => {
    table.integer('tenant_id').notNullable()
    table.text('name').notNullable()
    table.text('model_id').notNullable().references('ai_models.id').onDelete('cascade')
    table.primary(['tenant_id', 'name'])
    table.index(['model_id'])
  })
  await db.schema.createTable('ai_model_versions', (table) => {
    table.text('model_id').notNullable().references('ai_models.id').onDelete('cascade')
    table.integer('version').notNullable()
    table.integer('tenant_id').notNullable()
    table.text('provider_id').notNullable()
    table.text('upstream_model').notNullable()
    table.integer('context_window')
    table.integer('max_output_tokens')
    table.integer('default_output_tokens')
    table.text('tokenizer')
    table.jsonb('params').notNullable()
    table.jsonb('drop_params').notNullable()
    // Micro-units for a million tokens, nano-units for a request; null where nobody has said.
    table.jsonb('price')
    table.text('note').notNullable()
    // The version that was activated last is used; null is never, or not any more.
    table.timestamp('activates_at')
    table.jsonb('canary')
    table.timestamp('aborted_at')
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.integer('created_by')
    table.primary(['model_id', 'version'])
    table.index(['provider_id'])
  })
  const kind = 'ai.catalogue'
  for (const table of ['ai_models', 'ai_model_names', 'ai_model_versions']) await enableTenantRows(db, table)
  await noteChanges(db, { table: 'ai_models', kind, subject: 'changed.id', columns: ['id', 'revision'] })
  await noteChanges(db, {
    ...{ table: 'ai_model_versions', kind, subject: 'changed.model_id' },
    columns: ['model_id', 'version', 'activates_at', 'canary', 'aborted_at'],
  })
}
