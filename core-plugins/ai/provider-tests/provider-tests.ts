import { ownerOf, type FieldError, type Principal, type TenantResolver } from '#kernel'
import type { AiLedger } from '../../ai-ledger/contract.ts'
import { timeoutsOf } from '../catalogue/gateway-of.ts'
import type { Catalogue } from '../catalogue/types.ts'
import type { ProviderConnection } from '../connection/provider-connection.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import { providerFaults, unboundSecrets } from '../providers/rules.ts'
import type { ProviderSecrets, SecretChange } from '../providers/secrets.ts'
import type { ProviderService } from '../providers/service.ts'
import { columnsOf, newColumns, type NewProvider, type ProviderChange } from '../providers/wishes.ts'
import type { WhereTo } from '../providers/where-to.ts'
import type { ProviderRow, ProviderSecretRow } from '../tables.ts'
import type { Vendor } from '../wire/vendor.ts'
import { showDecimal } from '../show-decimal.ts'
import { runTest, type TestLevel } from './run-test.ts'
import { TestBill } from './test-bill.ts'
import { ProviderProbe } from './tested-provider.ts'

/** What tests stand on. */
interface TestParts {
  readonly providers: Pick<ProviderService, 'find' | 'secretsOf' | 'offered'>
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly secrets: ProviderSecrets
  readonly whereTo: WhereTo
  readonly connection: ProviderConnection
  readonly ledger: AiLedger
  readonly catalogue: () => Catalogue
  readonly vendorOf: (provider: Pick<ProviderRow, 'tenantId' | 'type' | 'plugin' | 'settings'>) => Vendor | undefined
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
  readonly draft?: Pick<ProviderChange, 'base_url' | 'settings' | 'credentials' | 'headers' | 'timeouts'>
}

/** What would be a provider. */
interface NewTestWish extends Pick<TestWish, 'level' | 'model'> {
  readonly provider: Omit<NewProvider, 'code' | 'name'>
}

/** What is asked: that of a provider which a test has to know. */
type Tested = Pick<ProviderRow, 'id' | 'tenantId' | 'type' | 'plugin' | 'settings' | 'baseUrl' | 'headers' | 'timeouts'>

/** Stands for a provider that has no id yet. */
const unsaved = 'unsaved'

/** Tests providers by asking them, with what is saved or with what would be. */
export class ProviderTests {
  readonly #parts: TestParts

  constructor(parts: TestParts) {
    this.#parts = parts
  }

  /** Throws 404/4048, and 422/4229 for a test that cannot be. */
  async run(id: string, { level = 'models', model, draft = {} }: TestWish, principal: Principal, signal: AbortSignal) {
    const { providers } = this.#parts
    const saved = await providers.find(principal, id)
    const row = { ...saved, ...columnsOf(draft), tenantId: saved.tenantId }
    const sealed = await providers.secretsOf(saved)
    refuseFaults([...(await this.#faults(saved, row, draft, sealed)), ...modelFaults(level, model)])
    const secrets = this.#open(sealed, draft.credentials ?? {})
    const { result, costNano } = await this.#test(row, secrets, { level, model }, principal, signal)
    if (Object.keys(draft).length === 0 && costNano !== undefined) {
      const { checks, level: reached } = result
      await this.#parts.tested({ providerId: id, tenantId: saved.tenantId, model, costNano, level: reached, checks })
    }
    return result
  }

  /** Throws 404/4040 for another tenant's, and 422/4229 for what could not be made or tested. */
  async runNew({ level = 'models', model, provider }: NewTestWish, principal: Principal, signal: AbortSignal) {
    const { tenants, providers, whereTo } = this.#parts
    const tenantId = await ownerOf(principal, provider.tenant_id, { tenants, refuse: refuseFaults })
    const columns = newColumns({ ...provider, code: unsaved, name: unsaved })
    const { credentials = {} } = provider
    const faults = [
      ...providerFaults(columns, credentials, providers.offered(tenantId, columns.plugin)),
      ...(columns.baseUrl === null ? [] : await whereTo.faults(columns.baseUrl)),
    ].map((fault) => ({ ...fault, field: `provider.${fault.field}` }))
    refuseFaults([...faults, ...modelFaults(level, model)])
    const row = { ...columns, id: unsaved, tenantId }
    const secrets = this.#open([], credentials)
    return (await this.#test(row, secrets, { level, model }, principal, signal)).result
  }

  /** What it cost is undefined where nobody was asked. */
  async #test(
    row: Tested,
    secrets: Readonly<Record<string, string>> | undefined,
    { level, model }: { readonly level: TestLevel; readonly model: string | undefined },
    principal: Principal,
    signal: AbortSignal,
  ) {
    const { connection, ledger, catalogue, vendorOf, whereTo } = this.#parts
    const vendor = vendorOf(row)
    const tested = { tested_at: new Date().toISOString(), models: [], cost: '0' }
    const fails = (name: string, detail: string) => {
      const checks = [{ name, ok: false, detail }]
      return { result: { ...tested, ok: false, level: 'reach' as const, checks }, costNano: undefined }
    }
    if (!secrets) return fails('credentials', 'No key of the platform opens the secrets: give them again')
    if (!vendor) return fails('vendor', 'Nothing here speaks to providers of this type')
    const current = catalogue()
    const timeouts = { ...current.gateway.timeouts, ...timeoutsOf(row.timeouts) }
    const provider = { vendor, secrets, timeouts, baseUrl: row.baseUrl ?? '', headers: row.headers }
    const upstream = model ?? ''
    const known = current.modelWith(row.id, upstream)
    const bill = new TestBill(ledger, principal, { providerId: row.id, upstream, known })
    const probe = new ProviderProbe(connection, provider, signal)
    const found = await runTest({
      ...{ level, model: upstream, probe, bill, lookUp: (address: string) => whereTo.lookUp(address) },
      baseUrl: vendor.local ? undefined : provider.baseUrl,
    })
    const checks = found.checks.map((check) => withoutSecrets(check, Object.values(secrets)))
    const { costNano } = bill
    return { result: { ...tested, ...found, checks, cost: showDecimal(costNano) }, costNano }
  }

  async #faults(
    saved: ProviderRow,
    row: Pick<ProviderRow, 'type' | 'plugin' | 'baseUrl' | 'settings' | 'headers'>,
    draft: NonNullable<TestWish['draft']>,
    sealed: readonly ProviderSecretRow[],
  ): Promise<readonly FieldError[]> {
    const { credentials = {} } = draft
    const offered = this.#parts.providers.offered(saved.tenantId, saved.plugin)
    // What a plugin asks for that came to it later is a fault of a draft, not of what is saved; one that is gone is what the test finds.
    const isChecked = saved.type !== 'plugin' || (offered !== undefined && Object.keys(draft).length > 0)
    const isMoved = row.baseUrl !== saved.baseUrl
    const fields = sealed.map(({ field }) => field)
    const faults = [
      ...(isChecked ? providerFaults(row, credentials, offered) : []),
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

function modelFaults(level: TestLevel, model: string | undefined): readonly FieldError[] {
  return costs(level) && model === undefined ? [faultOf('model', 'required', 'is required for this level')] : []
}

function costs(level: TestLevel): boolean {
  return level === 'chat' || level === 'stream' || level === 'tools'
}
