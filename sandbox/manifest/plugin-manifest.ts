import type { Capability } from '../capabilities/table.ts'
import type { ConfigItem } from './config-item.ts'
import type { Provided } from './plugin-provided.ts'
import type { PreferenceItem } from './preference-item.ts'
import type { LocalisedText, Names, RouteMethod } from './vocabulary.ts'

/** manifest.json, version 1: everything a third-party plugin is and asks for, readable without running it. Field names are those of the file. */
export interface PluginManifest {
  readonly manifestVersion: 1
  /** `<publisher>.<plugin>`; paths, tables, storage and events are derived from it. */
  readonly name: string
  /** Strict semantic version. */
  readonly version: string
  /** The first label of the name; signatures are checked against this publisher's keys. */
  readonly publisher: string
  readonly title: LocalisedText
  readonly description: LocalisedText
  /** `icon.png` or `icon.webp`, at most 1 MB. */
  readonly icon?: string
  /** SPDX expression of the source's licence; commercial terms stand in `licensing`. */
  readonly license: string
  readonly homepage?: string
  readonly repository?: string
  /** Where users find help: an https or mailto address. */
  readonly support?: string
  readonly categories?: readonly string[]
  readonly keywords?: readonly string[]
  /** Versions of the host and of the SDK it runs with. */
  readonly engines: { readonly host: string; readonly sdk?: string }
  /** Plugins that must be installed, by name, with their version range. */
  readonly requires?: Readonly<Record<string, string>>
  /** Plugins that must not be installed, by name, with their version range. */
  readonly conflicts?: Readonly<Record<string, string>>
  /** Pure JavaScript modules that the host ships, as `name@range`. */
  readonly hostModules?: readonly string[]
  /** The entry: one ES module under `dist/`. */
  readonly main: string
  /** `platform`: one for the whole site. `tenant`: assigned to tenants. */
  readonly scope: 'platform' | 'tenant'
  /** The least trust under which the author wants it to be installed. */
  readonly minTrust?: 'official' | 'verified' | 'community' | 'local' | 'unsigned'
  /** What it cannot work without; an administrator consents to all of them. */
  readonly capabilities: readonly Capability[]
  /** What it can work without; a tenant may refuse them. */
  readonly optionalCapabilities?: readonly Capability[]
  /** Why it needs each capability, shown at consent. */
  readonly reasons?: Readonly<Record<string, string>>
  readonly http?: { readonly hosts: readonly HttpHost[] }
  readonly storage?: { readonly quotaMb?: number; readonly maxObjectMb?: number }
  readonly db?: DatabaseSection
  readonly events?: { readonly publish?: readonly string[]; readonly subscribe?: readonly string[] }
  readonly config?: readonly ConfigItem[]
  /** What each user may choose for themselves, as `plugin.<name>.<key>` of the preferences. */
  readonly preferences?: readonly PreferenceItem[]
  readonly permissions?: readonly { readonly code: string; readonly title: LocalisedText }[]
  readonly admin_routes?: readonly PluginRoute[]
  readonly tenant_routes?: readonly PluginRoute[]
  readonly public_routes?: readonly PublicRoute[]
  readonly slots?: readonly Slot[]
  readonly menu?: readonly MenuEntry[]
  readonly schedules?: readonly Schedule[]
  /** Work that its functions enqueue. */
  readonly jobs?: readonly JobItem[]
  /** E-mails to users of the calling tenant; 500 a day unless `perDay` says otherwise, and no more than the platform gives. */
  readonly mail?: { readonly templates: readonly MailTemplate[]; readonly perDay?: number }
  /** Services of other plugins that it calls: `acme.crm/contacts` → the versions it understands. */
  readonly uses?: Readonly<Record<string, string>>
  readonly provides?: Provided
  /** Exports called by the host in the plugin's life; `selfTest` runs before a release is switched to. */
  readonly hooks?: Names<'postInstall' | 'enable' | 'disable' | 'upgrade' | 'uninstall' | 'selfTest'>
  readonly upgrade?: UpgradeTerms
  readonly licensing?: LicensingTerms
  /** What it asks for beyond the defaults; the administrator decides. */
  readonly limits?: Names<'memoryMb' | 'cpuMs' | 'wallMs' | 'concurrency', number>
  /** Languages it has texts for; each is a file `locales/<locale>.json`, which only `default` may do without. */
  readonly locales?: readonly string[]
  /** README file by language. */
  readonly readme?: LocalisedText
}

/** A host the plugin may send requests to. */
interface HttpHost {
  /** Exact name, `*.label.tld`, or `*` with the capability `http:any`. */
  readonly host: string
  /** 443 unless listed. */
  readonly ports?: readonly number[]
  /** GET unless listed. */
  readonly methods?: readonly (RouteMethod | 'HEAD')[]
  readonly reason?: string
}

/** An e-mail that the plugin may send, as text: the platform makes its page. */
export interface MailTemplate {
  readonly name: string
  /** One line; `{{name}}` is one of the values. */
  readonly subject: LocalisedText
  /** Paragraphs, set off by empty lines. */
  readonly body: LocalisedText
  readonly values?: readonly string[]
}

/** Work that is done in steps, each a call of its function. */
interface JobItem {
  readonly name: string
  /** Own property of the default export's `jobs`, or of its `handlers`. */
  readonly handler: string
  readonly title?: LocalisedText
  /** Of a step, 60,000 unless it says less. */
  readonly timeoutMs?: number
  /** Of all its steps together, 60 unless it says less. */
  readonly minutes?: number
}

/** The plugin's own tables, by short name. */
interface DatabaseSection {
  readonly tables: readonly string[]
  /** The folder of its migrations; always `migrations/`. */
  readonly migrations?: string
  /** Rows expected per tenant, for the administrator's information. */
  readonly rowsHint?: number
}

/** A route of `admin_routes` or `tenant_routes`. */
export interface PluginRoute {
  readonly method: RouteMethod
  readonly path: string
  /** Own property of the default export's `handlers`. */
  readonly handler: string
  /** Closed by default: `user` says what holds anyway. */
  readonly auth?: 'user'
  /** One of the manifest's permission codes. */
  readonly permission?: string
  /** One sentence for the API document. */
  readonly summary?: string
  readonly timeoutMs?: number
  readonly maxBodyKb?: number
  /** Whether the handler also gets the body as it came, because a signature was made over it. */
  readonly rawBody?: boolean
  readonly rate?: Names<'perUserPerMinute' | 'perIpPerMinute', number>
  /** The body is a form with files, which become attachments that go unless the plugin keeps them; 20 MB in all. */
  readonly body?: 'multipart' | 'file'
  /** Whether its handler sends the answer piece by piece. */
  readonly stream?: boolean
  /** Of a form: 5 unless said otherwise, at most 10. */
  readonly maxFiles?: number
  /** Of one file of a form: 20 unless said otherwise. */
  readonly maxFileMb?: number
}

/** A route that anybody may call, and that says so. */
export interface PublicRoute extends Omit<PluginRoute, 'permission' | 'auth'> {
  readonly auth: 'none'
}

/** A place in the console that the plugin fills with a framed page of its own. */
export interface Slot {
  readonly slot: 'header_widget' | 'dashboard_widget' | 'settings_tab' | 'floating_panel' | 'page' | 'notification_ui'
  readonly id: string
  /** The HTML file, inside `ui/`. */
  readonly entry: string
  readonly title?: LocalisedText
  readonly permission?: string
  readonly size?: { readonly w: number; readonly h: number }
  /** Whose console it stands in; the tenant's unless it says admin. */
  readonly area?: 'tenant' | 'admin'
}

/** A menu entry that opens one of the plugin's slots. */
interface MenuEntry {
  readonly id: string
  readonly title: LocalisedText
  /** The id of a slot. */
  readonly slot: string
  readonly area: 'tenant' | 'admin'
  readonly order?: number
  readonly icon?: string
}

/** Work that happens at set times. */
export interface Schedule {
  readonly id: string
  /** Five fields; at most once a minute. */
  readonly cron: string
  /** `tenant`, or an IANA time zone. UTC unless it says otherwise. */
  readonly timezone?: string
  readonly handler: string
  readonly timeoutMs?: number
  /** Once for each tenant it runs for, instead of once. */
  readonly perTenant?: boolean
}

/** From where it can be upgraded, and what an upgrade does when it goes wrong. */
interface UpgradeTerms {
  /** Range of the versions an upgrade may start from. */
  readonly from?: string
  /** Old code cannot run on the new tables: calls wait while the switch is made. */
  readonly breakingSchema?: boolean
  readonly onHookFailure?: 'rollback' | 'continue'
}

/** The commercial terms. */
export interface LicensingTerms {
  readonly type: 'free' | 'commercial'
  readonly trialDays?: number
  readonly graceDays?: number
  readonly features?: readonly string[]
  /** Ids of the keys whose licence tokens are accepted. */
  readonly keys?: readonly string[]
}
