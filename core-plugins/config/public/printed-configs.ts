import { ExpiringMap, pluginDisabled, pluginEnabled, versionOfText, type Scope, type Tenant } from '#kernel'
import { configChanged, valuesChanged } from '../contract.ts'

/** A public configuration as it goes out. */
interface PrintedConfig {
  readonly text: string
  /** Weak, because bodies of one version differ in what stands around them. */
  readonly etag: string
}

interface Kept {
  readonly tenant: Tenant | undefined
  readonly printed: Promise<PrintedConfig>
}

// Members that other plugins add may change without a word.
const lifetime = 5000
const mostTenants = 2000

/** Keeps what anybody may read of the configuration, printed, until something changes: pages ask for it at every start. */
export class PrintedConfigs {
  readonly #kept = new ExpiringMap<number, Kept>(mostTenants)

  /** Prints what is read anew or was kept; readers at once share it. A tenant that changed is another object. */
  of(tenant: Tenant | undefined, read: () => Promise<Readonly<Record<string, unknown>>>): Promise<PrintedConfig> {
    const id = tenant?.id ?? 0
    const known = this.#kept.get(id)
    if (known && known.tenant === tenant) return known.printed
    const kept = { tenant, printed: print(read) }
    this.#kept.set(id, kept, lifetime)
    kept.printed.catch(() => this.#kept.deleteWhere((other) => other === kept))
    return kept.printed
  }

  /** Reads a tenant's anew at the next question, or with 0, which every tenant's defaults come from, all. */
  forget(tenantId: number): void {
    if (tenantId === 0) this.#kept.clear()
    else this.#kept.delete(tenantId)
  }
}

/** Makes the store, which hears of changes on whichever host. */
export function followPrintedConfigs(scope: Scope): PrintedConfigs {
  const printed = new PrintedConfigs()
  scope.on(configChanged, ({ tenantId }) => printed.forget(tenantId), 'every-host')
  scope.onChanges(valuesChanged, (tenants) => {
    for (const id of tenants === 'all' ? [0] : tenants) printed.forget(Number(id))
  })
  for (const event of [pluginEnabled, pluginDisabled]) scope.on<unknown>(event, () => printed.forget(0))
  return printed
}

async function print(read: () => Promise<Readonly<Record<string, unknown>>>): Promise<PrintedConfig> {
  const text = JSON.stringify(await read())
  return { text, etag: `W/"${versionOfText(text)}"` }
}
