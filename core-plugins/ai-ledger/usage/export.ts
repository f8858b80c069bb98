import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { showMoney } from '../quotas/show-amount.ts'
import { presentRow, type LedgerRow } from './ledger-rows.ts'

/** How the ledger is downloaded: RFC 4180, a JSON object a line, or FOCUS 1.2 as CSV. */
export type ExportFormat = 'csv' | 'jsonl' | 'focus'

/** What a download looks like. */
interface ExportOptions {
  readonly format: ExportFormat
  readonly currency: string
  /** A byte order mark before CSV, by which spreadsheets know UTF-8. */
  readonly bom: boolean
  readonly gzip: boolean
}

type Cells = Readonly<Record<string, unknown>>

/** A file of rows. */
interface ExportedRows {
  readonly content: Readable
  /** How many rows were sent so far. */
  readonly sent: () => number
}

/** Rows as a file, as fast as they are read. The last line of jsonl says how many there are. */
export function exportRows(rows: AsyncIterable<LedgerRow>, options: ExportOptions): ExportedRows {
  let count = 0
  async function* counted(): AsyncGenerator<LedgerRow> {
    for await (const row of rows) {
      count += 1
      yield row
    }
  }
  const sent = (): number => count
  const pieces = options.format === 'jsonl' ? jsonl(counted(), options, sent) : csv(counted(), options)
  const text = Readable.from(pieces, { objectMode: false })
  return { content: options.gzip ? (text.compose(createGzip()) as Readable) : text, sent }
}

async function* jsonl(
  rows: AsyncIterable<LedgerRow>,
  { currency }: ExportOptions,
  sent: () => number,
): AsyncGenerator<Buffer> {
  for await (const row of rows) yield Buffer.from(`${JSON.stringify(presentRow(row, currency))}\n`)
  yield Buffer.from(`${JSON.stringify({ 'x-export-rows': sent() })}\n`)
}

async function* csv(rows: AsyncIterable<LedgerRow>, { format, currency, bom }: ExportOptions): AsyncGenerator<Buffer> {
  const cells = (row: LedgerRow): Cells => (format === 'focus' ? focusCells(row, currency) : presentRow(row, currency))
  const names = Object.keys(cells(sample))
  yield Buffer.from(`${bom ? '\u{feff}' : ''}${names.join(',')}\r\n`)
  for await (const row of rows) {
    const values = cells(row)
    yield Buffer.from(`${names.map((name) => csvCell(values[name])).join(',')}\r\n`)
  }
}

/** A value as a cell. What a spreadsheet would take for a formula gets an apostrophe before it, as OWASP advises. */
export function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** FOCUS 1.2: the mandatory columns, and our own behind `x_`. */
function focusCells(row: LedgerRow, currency: string): Cells {
  const [billed, list] = [showMoney(BigInt(row.cost_nano)), showMoney(BigInt(row.list_cost_nano))]
  const start = new Date(row.at)
  const hour = new Date(Math.floor(start.getTime() / 3_600_000) * 3_600_000)
  const month = (more: number): string =>
    new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + more, 1)).toISOString()
  const tokens = Number(row.input_tokens) + Number(row.output_tokens)
  return {
    BilledCost: billed,
    BillingAccountId: String(row.tenant_id),
    BillingAccountName: `Tenant ${row.tenant_id}`,
    BillingAccountType: 'Tenant',
    BillingCurrency: currency,
    BillingPeriodEnd: month(1),
    BillingPeriodStart: month(0),
    ChargeCategory: 'Usage',
    ChargeClass: '',
    ChargeDescription: `${row.purpose} ${row.model}`,
    ChargeFrequency: 'Usage-Based',
    ChargePeriodEnd: new Date(hour.getTime() + 3_600_000).toISOString(),
    ChargePeriodStart: hour.toISOString(),
    ConsumedQuantity: tokens,
    ConsumedUnit: 'Tokens',
    ContractedCost: billed,
    EffectiveCost: billed,
    InvoiceIssuerName: row.provider_id,
    ListCost: list,
    PricingQuantity: tokens,
    PricingUnit: 'Tokens',
    ProviderName: row.provider_id,
    PublisherName: row.provider_id,
    ResourceId: row.model_id,
    ResourceName: row.model,
    ServiceCategory: 'AI and Machine Learning',
    ServiceName: row.model,
    SubAccountId: row.user_id === null ? '' : String(row.user_id),
    Tags: JSON.stringify(tagsOf(row.tags ?? [])),
    x_RequestId: row.request_id,
    x_Attempt: row.attempt,
    x_InputTokens: Number(row.input_tokens),
    x_CachedInputTokens: Number(row.cached_input_tokens),
    x_OutputTokens: Number(row.output_tokens),
    x_ReasoningTokens: Number(row.reasoning_tokens),
    x_TenantId: row.tenant_id,
    x_UserId: row.user_id,
    x_KeyId: row.key_id,
    x_AgentId: row.agent_id,
    x_Purpose: row.purpose,
    x_ToolCalls: row.tool_calls,
    x_SandboxMs: Number(row.sandbox_ms),
    x_Outcome: row.outcome,
    x_UsageSource: row.usage_source,
  }
}

/** As FOCUS has them: names and values. */
function tagsOf(tags: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tags.map((tag) => {
      const at = tag.indexOf(':')
      return at === -1 ? [tag, ''] : [tag.slice(0, at), tag.slice(at + 1)]
    }),
  )
}

/** Has every column; its values are not shown. */
const sample: LedgerRow = {
  ...{ id: '', request_id: '', attempt: 1, at: new Date(0), tenant_id: 0, user_id: null, key_id: null, agent_id: null },
  ...{ conversation_id: null, purpose: '', model_id: '', model: '', model_version: 1, provider_id: '' },
  ...{
    input_tokens: '0',
    cached_input_tokens: '0',
    cache_write_tokens: '0',
    output_tokens: '0',
    reasoning_tokens: '0',
  },
  ...{ cost_nano: '0', list_cost_nano: '0', usage_source: '', outcome: '', ttft_ms: null, duration_ms: 0 },
  ...{ stream: false, cached: false, tool_calls: 0, tool_cpu_ms: '0', sandbox_ms: '0', tags: null },
}
