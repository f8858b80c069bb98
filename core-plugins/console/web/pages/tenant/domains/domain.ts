/** A domain of a tenant. */
export interface Domain {
  readonly id: number
  readonly domain: string
  readonly cname_name: string
  readonly cname_target: string
  readonly txt_name: string
  readonly txt_value: string
  readonly instructions: readonly string[]
  readonly is_verified: boolean
  readonly is_primary: boolean
  readonly serving: boolean
  readonly status: string
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly found: readonly string[] }>>
  readonly next_check_at: string | null
}
