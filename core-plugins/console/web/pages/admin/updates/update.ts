/** What a plugin could become. */
export interface Update {
  readonly name: string
  readonly title: string
  readonly installed: string
  readonly latest: string | null
  readonly latest_compatible: string | null
  readonly status: string
  readonly pinned: boolean
  readonly security: boolean
  readonly rights: { readonly change: 'none' | 'narrower' | 'wider' } | null
  /** Plugins that use services of it. */
  readonly used_by?: readonly string[]
  readonly changelog: readonly {
    readonly version: string
    readonly changelog?: string | null
    readonly text?: string
  }[]
}

/** Whether there is something newer that fits. */
export function canUpgrade({ latest_compatible: latest, installed, status }: Update): boolean {
  return latest !== null && latest !== installed && status !== 'up_to_date'
}

/** Whether it asks for more than the release that runs. */
export function asksMore({ rights }: Update): boolean {
  return rights?.change === 'wider'
}
