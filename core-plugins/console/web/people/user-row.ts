/** A user as lists show one. */
export interface UserRow {
  readonly id: number
  readonly account: string | null
  readonly email: string
  readonly nickname: string
  readonly avatar_url?: string
  readonly status: string
  readonly roles: readonly { readonly code: string; readonly name: string }[]
  readonly org_ids?: readonly number[]
  readonly two_factor_enabled?: boolean
  readonly last_login_at: string | null
}

/** A user with all there is to know. */
export interface UserDetail extends UserRow {
  readonly phone?: string | null
  readonly locale?: string | null
  readonly timezone?: string | null
  readonly created_at: string
}
