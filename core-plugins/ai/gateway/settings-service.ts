import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { PreconditionFailedError, type FieldError } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { PluginGuardrails } from '../../plugin-offers/contract.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import { GatewayRow } from '../tables.ts'
import type { GatewaySettings } from '../stored.ts'
import { mergeSettings, usualSettings, type GatewayChange } from './settings.ts'

/** Who writes, and which version they have seen. */
interface SettingsWriter extends Writer {
  requireMatch(etag: string): void
}

/** The settings with their version. */
type PresentedSettings = GatewaySettings & { readonly version: number; readonly dry_run?: true }

/** How the gateway works: one row of the platform's. */
export class GatewaySettingsService {
  readonly #db: Knex
  readonly #audit: Audit
  readonly #plugins: Pick<PluginGuardrails, 'list'>

  constructor(db: Knex, audit: Audit, plugins: Pick<PluginGuardrails, 'list'>) {
    this.#plugins = plugins
    this.#db = db
    this.#audit = audit
  }

  async read(db = this.#db): Promise<PresentedSettings> {
    const row = await GatewayRow.of(0, db).findById(0)
    return present(row)
  }

  /** Throws 412/4120 and 422/4229; with `isDryRun` nothing is written. */
  async change(
    { version: seen, ...change }: GatewayChange & { readonly version?: number },
    writer: SettingsWriter,
    isDryRun: boolean,
  ): Promise<PresentedSettings> {
    return this.#db.transaction(async (trx) => {
      await GatewayRow.of(0, trx).insert({ settings: usualSettings, version: 0 }).onConflict('tenant_id').ignore()
      const row = await GatewayRow.of(0, trx).findById(0).forUpdate()
      const before = present(row)
      writer.requireMatch(String(before.version))
      if (seen !== undefined && seen !== before.version) throw new PreconditionFailedError()
      const settings = mergeSettings(before, change)
      refuseFaults([...faultsOf(settings), ...this.#guardrailFaults(settings, before)])
      const version = before.version + (isDeepStrictEqual({ ...settings, version: before.version }, before) ? 0 : 1)
      if (isDryRun) return { ...settings, version: before.version, dry_run: true }
      if (version === before.version) return before
      await GatewayRow.of(0, trx).findById(0).patch({ settings, version, updatedAt: new Date() })
      const after = { ...settings, version }
      const { principal: actor, state } = writer
      const about = { tenantId: 0, actor, traceId: state.traceId, target: 'ai_gateway' }
      await this.#audit.record({ ...about, before, after, action: 'ai_gateway.updated' }, trx)
      return after
    })
  }

  /** What was there before stays, whether its plugin runs at the moment or not. */
  #guardrailFaults({ guardrails }: GatewaySettings, before: GatewaySettings): readonly FieldError[] {
    const offers = this.#plugins.list(0)
    return guardrails.flatMap((rule, at) => {
      if (before.guardrails.some((known) => isDeepStrictEqual(known, rule))) return []
      const offered = offers.find(({ plugin, code }) => plugin === rule.plugin && (rule.guardrail ?? code) === code)
      const field = `guardrails[${at}]`
      if (!offered)
        return [faultOf(`${field}.plugin`, 'plugin_guardrail', 'No plugin that runs here brings this guardrail')]
      const missing = rule.phase.find((phase) => !offered.phases.includes(phase))
      return missing === undefined ? [] : [faultOf(`${field}.phase`, 'phase', `is none of it: ${missing}`)]
    })
  }
}

function present(row: GatewayRow | undefined): PresentedSettings {
  // A setting that is younger than the row is as usual.
  return { ...mergeSettings(usualSettings, row?.settings ?? {}), version: row?.version ?? 0 }
}

function faultsOf({ retry, breaker, timeouts }: GatewaySettings): readonly FieldError[] {
  const [shortest = 0, longest = 0] = retry.backoff_ms
  return [
    ...(shortest > longest ? [faultOf('retry.backoff_ms', 'order', 'has the shortest wait first')] : []),
    ...(breaker.open_s > breaker.open_max_s
      ? [faultOf('breaker.open_max_s', 'order', 'is no shorter than open_s')]
      : []),
    ...(timeouts.first_token_ms > timeouts.total_ms
      ? [faultOf('timeouts.total_ms', 'order', 'is no shorter than first_token_ms')]
      : []),
  ]
}
