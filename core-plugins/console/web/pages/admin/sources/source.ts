/** A place that offers plugins. */
export interface Source {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly priority: number
  readonly enabled: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly root_fingerprint?: string | null
  readonly min_trust: string
  readonly max_trust: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly unsigned: boolean
  readonly status: string
  readonly plugins?: number
  readonly expires?: string | null
  readonly last_error?: { readonly message?: string } | null
  readonly checked_at?: string | null
}
