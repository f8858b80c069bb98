import { reportTypes } from './report-types.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const count = { type: 'integer', minimum: 0 } as const

/** How a report stands. */
export const reportState = { enum: ['queued', 'done', 'failed'] } as const

/** What a provider asks for, with which the ledger is compared. */
export const invoice = {
  type: 'object',
  additionalProperties: false,
  required: ['provider_id', 'amount'],
  properties: { provider_id: text, amount: text, input_tokens: count, output_tokens: count },
} as const

/** A report. */
export const reportBody = {
  type: 'object',
  required: [
    ...(['id', 'report_id', 'tenant_id', 'name', 'type', 'status', 'from', 'to', 'tz', 'group_by', 'format'] as const),
    ...(['schedule', 'parent_id', 'invoice', 'deliver', 'attachment_id', 'created_by', 'created_at'] as const),
    'finished_at',
  ],
  properties: {
    id: text,
    report_id: text,
    tenant_id: { type: ['integer', 'null'] },
    name: text,
    type: { enum: reportTypes },
    status: reportState,
    from: text,
    to: text,
    tz: text,
    group_by: { type: 'array', items: text },
    format: { enum: ['csv', 'json', 'focus'] },
    schedule: { ...maybe, description: 'Five fields of cron' },
    parent_id: maybe,
    invoice: { ...invoice, type: ['object', 'null'] },
    deliver: {
      type: 'object',
      required: ['attachment', 'webhook', 'email'],
      properties: { attachment: { const: true }, webhook: maybe, email: { type: 'array', items: text } },
    },
    attachment_id: maybe,
    created_by: { type: 'integer' },
    created_at: text,
    finished_at: maybe,
  },
} as const
