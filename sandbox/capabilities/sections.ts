/** What rows look at in a manifest, whose form was checked. */
export interface Sections {
  readonly http?: { readonly hosts: readonly object[] }
  readonly storage?: object
  readonly db?: { readonly tables: readonly string[]; readonly rowsHint?: number }
  readonly events?: { readonly publish?: readonly string[]; readonly subscribe?: readonly string[] }
  readonly config?: readonly { readonly key: string; readonly type: string; readonly scope: string }[]
  readonly schedules?: readonly { readonly id: string; readonly cron: string; readonly timezone?: string }[]
  readonly jobs?: readonly { readonly name: string; readonly minutes?: number }[]
  readonly mail?: { readonly templates: readonly { readonly name: string }[]; readonly perDay?: number }
  readonly uses?: Readonly<Record<string, string>>
  readonly slots?: readonly { readonly slot: string; readonly id: string; readonly area?: string }[]
  readonly menu?: readonly object[]
  readonly provides?: {
    readonly captcha?: { readonly code: string } | null
    readonly aiTools?: readonly { readonly name: string; readonly effect?: string }[]
    readonly aiProviders?: readonly { readonly code: string }[]
    readonly aiGuardrails?: readonly { readonly code: string; readonly handlers: object }[]
    readonly aiRouters?: readonly { readonly code: string }[]
    readonly storageDrivers?: readonly { readonly name: string }[]
    readonly services?: readonly {
      readonly name: string
      readonly version: string
      readonly methods: readonly { readonly name: string; readonly effect?: string }[]
    }[]
  }
  readonly licensing?: { readonly type: string }
}
