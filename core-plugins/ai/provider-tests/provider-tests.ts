import type { FieldError, Principal } from '#kernel'
import type { AiLedger } from '../../ai-ledger/contract.ts'
import { timeoutsOf } from '../catalogue/gateway-of.ts'
import type { Catalogue } from '../catalogue/types.ts'
import type { ProviderConnection } from '../connection/provider-connection.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import { providerFaults, unboundSecrets } from '../providers/rules.ts'
import type { ProviderSecrets, SecretChange } from '../providers/secrets.ts'
import type { ProviderService } from '../providers/service.ts'
import { columnsOf, type ProviderChange } from '../providers/wishes.ts'
import type { WhereTo } from '../providers/where-to.ts'
import type { ProviderRow, ProviderSecretRow } from '../tables.ts'
import type { Vendor } from '../wire/vendor.ts'
import { showDecimal } from '../show-decimal.ts'
import { runTest, type TestLevel } from './run-test.ts'
import { TestBill } from './test-bill.ts'
import { ProviderProbe } from './tested-provider.ts'

/** What tests stand on. */
interface TestParts {
  readonly providers: Pick<ProviderService, 'find' | 'secretsOf'>
  readonly secrets: ProviderSecrets
  readonly whereTo: WhereTo
  readonly connection: ProviderConnection
  readonly ledger: AiLedger
  readonly catalogue: () => Catalogue
  readonly vendorOf: (provider: ProviderRow) => Vendor | undefined
  /** Told of a test of what is saved. */
  readonly tested: (test: DoneTest) => Promise<void>
}

/** What a test came to. */
export interface DoneTest {
  readonly providerId: string
  readonly tenantId: number
  readonly level: TestLevel
  readonly model: string | undefined
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly ms?: number }[]
  readonly costNano: bigint
}

/** What is to be tested. */
interface TestWish {
  readonly level?: TestLevel
  readonly model?: string
  readonly draft?: Pick<ProviderChange, 'base_url' | 'credentials' | 'headers' | 'timeouts'>
}

/** Tests providers by asking them, with what is saved or with what would be. */
export class ProviderTests {
  readonly #parts: TestParts

  constructor(parts: TestParts) {
    this.#parts = parts
  }

  /** Throws 404/4048, and 422/4229 for a test that cannot be. */
  async run(id: string, { level = 'models', model, draft = {} }: TestWish, principal: Principal, signal: AbortSignal) {
    const { providers, connection, ledger, catalogue, vendorOf, whereTo } = this.#parts
    const saved = await providers.find(principal, id)
    const row = { ...saved, ...columnsOf(draft), tenantId: saved.tenantId }
    const sealed = await providers.secretsOf(saved)
    refuseFaults([
      ...(await this.#faults(saved, row, draft.credentials ?? {}, sealed)),
      ...(costs(level) && model === undefined ? [faultOf('model', 'required', 'is required for this level')] : []),
    ])
    const secrets = this.#open(sealed, draft.credentials ?? {})
    const vendor = vendorOf(saved)
    const tested = { tested_at: new Date().toISOString(), models: [], cost: '0' }
    const fails = (name: string, detail: string) => {
      return { ...tested, ok: false, level: 'reach' as const, checks: [{ name, ok: false, detail }] }
    }
    if (!secrets) return fails('credentials', 'No key of the platform opens the secrets: give them again')
    if (!vendor) return fails('vendor', 'Nothing here speaks to providers of this type')
    const current = catalogue()
    const timeouts = { ...current.gateway.timeouts, ...timeoutsOf(row.timeouts) }
    const provider = { vendor, secrets, timeouts, baseUrl: row.baseUrl ?? '', headers: row.headers }
    const upstream = model ?? ''
    const known = current.modelWith(id, upstream)
    const bill = new TestBill(ledger, principal, { providerId: id, upstream, known })
    const probe = new ProviderProbe(connection, provider, signal)
    const result = await runTest({
      ...{ level, model: upstream, probe, bill, lookUp: (address: string) => whereTo.lookUp(address) },
      baseUrl: vendor.local ? undefined : provider.baseUrl,
    })
    if (Object.keys(draft).length === 0) {
      const { checks, level: reached } = result
      const about = { providerId: id, tenantId: saved.tenantId, model, costNano: bill.costNano }
      await this.#parts.tested({ ...about, level: reached, checks })
    }
    const checks = result.checks.map((check) => withoutSecrets(check, Object.values(secrets)))
    return { ...tested, ...result, checks, cost: showDecimal(bill.costNano) }
  }

  async #faults(
    saved: ProviderRow,
    row: Pick<ProviderRow, 'type' | 'plugin' | 'baseUrl' | 'settings' | 'headers'>,
    credentials: SecretChange,
    sealed: readonly ProviderSecretRow[],
  ): Promise<readonly FieldError[]> {
    const isMoved = row.baseUrl !== saved.baseUrl
    const fields = sealed.map(({ field }) => field)
    const faults = [
      ...(saved.type === 'plugin' ? [] : providerFaults(row, credentials, undefined)),
      ...(isMoved && row.baseUrl !== null ? await this.#parts.whereTo.faults(row.baseUrl) : []),
      // What was saved goes nowhere else than where it was given for.
      ...(isMoved ? unboundSecrets(fields, credentials) : []),
    ]
    return faults.map((fault) => ({ ...fault, field: `draft.${fault.field}` }))
  }

  #open(sealed: readonly ProviderSecretRow[], change: SecretChange): Readonly<Record<string, string>> | undefined {
    const opened = sealed
      .filter(({ field }) => change[field] === undefined)
      .map((row) => [row.field, this.#parts.secrets.open(row)] as const)
    if (opened.some(([, text]) => text === undefined)) return undefined
    const given = Object.entries(change).filter(([, text]) => text !== null)
    return Object.fromEntries([...opened, ...given]) as Record<string, string>
  }
}

/** Vendors may repeat what they were sent. */
function withoutSecrets<C extends { readonly detail?: string }>(check: C, secrets: readonly string[]): C {
  if (check.detail === undefined) return check
  return { ...check, detail: secrets.reduce((told, secret) => told.replaceAll(secret, '…'), check.detail) }
}

function costs(level: TestLevel): boolean {
  return level === 'chat' || level === 'stream' || level === 'tools'
}
