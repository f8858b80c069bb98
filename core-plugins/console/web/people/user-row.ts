/** A user as lists show one. */
export interface UserRow {
  readonly id: number
  readonly account: string | null
  readonly email: string
  readonly nickname: string
  readonly status: string
  readonly roles: readonly { readonly code: string; readonly name: string }[]
  readonly last_login_at: string | null
}
