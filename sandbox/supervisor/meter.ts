import { Account, type Counts } from '../metering/account.ts'
import { CallMeter, handlerName } from '../metering/call-meter.ts'
import type { AccountKind, UsageEntry } from '../metering/metering.ts'
import type { CallTarget } from './call.ts'

type PluginAccounts = Readonly<Record<AccountKind, Map<string, Account>>>

/** Counts what plugins use: by tenant, by handler and by granted host, and how often each brought a sandbox host down. */
export class Meter {
  readonly #plugins = new Map<string, PluginAccounts>()

  /** Begins to count for a call. */
  open(plugin: string, tenantId: number, target: CallTarget): CallMeter {
    const accounts = this.#accountsOf(plugin)
    return new CallMeter(
      open(accounts.tenant, String(tenantId)),
      open(accounts.handler, handlerName(target)),
      (grant) => open(accounts.host, grant),
    )
  }

  recordKill(plugin: string, reason: string): void {
    open(this.#accountsOf(plugin).kill, reason).add('kills', 1)
  }

  /** The plugins that anything was counted of. */
  get plugins(): readonly string[] {
    return [...this.#plugins.keys()]
  }

  /** Everything since the process started. */
  totals(): readonly UsageEntry[] {
    return this.#read((account) => account.total())
  }

  /** What was added since the last time. */
  takeChanges(): readonly UsageEntry[] {
    return this.#read((account) => account.takeChange())
  }

  /** Forgets a plugin that is no longer installed, so that the accounts stay as few as the plugins. */
  forget(plugin: string): void {
    this.#plugins.delete(plugin)
  }

  /** Forgets a tenant that is gone. */
  forgetTenant(tenantId: number): void {
    for (const { tenant } of this.#plugins.values()) tenant.delete(String(tenantId))
  }

  #read(read: (account: Account) => Counts | undefined): readonly UsageEntry[] {
    const entries: UsageEntry[] = []
    for (const [plugin, accounts] of this.#plugins) {
      for (const [kind, named] of Object.entries(accounts) as [AccountKind, Map<string, Account>][]) {
        for (const [name, account] of named) {
          const counts = read(account)
          if (counts) entries.push({ plugin, kind, name, ...counts })
        }
      }
    }
    return entries
  }

  #accountsOf(plugin: string): PluginAccounts {
    const known = this.#plugins.get(plugin)
    if (known) return known
    const accounts: PluginAccounts = { tenant: new Map(), handler: new Map(), host: new Map(), kill: new Map() }
    this.#plugins.set(plugin, accounts)
    return accounts
  }
}

function open(accounts: Map<string, Account>, name: string): Account {
  const known = accounts.get(name)
  if (known) return known
  const account = new Account()
  accounts.set(name, account)
  return account
}
