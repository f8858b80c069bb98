/** Which kinds of characters a password must have. */
export type PasswordComplexity = 'none' | 'letters_digits' | 'mixed_case_digits' | 'all_classes'

/** Who is signed in, as `…/auth/me` tells. */
export interface Me {
  readonly user: {
    readonly id: number
    readonly account: string | null
    readonly email: string
    readonly nickname: string
    readonly avatar_url: string
    readonly roles: readonly { readonly code: string; readonly name: string }[]
    readonly two_factor_enabled: boolean
    readonly locale: 'en' | 'zh-CN' | null
  }
  readonly tenant: { readonly id: number; readonly code: string; readonly name: string } | null
  readonly permissions: readonly string[]
  readonly features: Readonly<Record<string, boolean>>
  /** Of the tenant, or of the platform. */
  readonly site: {
    readonly name: string
    readonly logo: string
    readonly logo_dark: string
    readonly favicon: string
    readonly brand_color: string
  }
  /** What a new password of theirs has to be. */
  readonly password_rules: { readonly min_length: number; readonly complexity: PasswordComplexity }
}

/** What a sign-in answers. */
export interface SignedIn {
  readonly access_token: string
  readonly expires_in: number
  readonly tenant: Me['tenant']
  readonly user: { readonly id: number }
  readonly password_change_required: boolean
}
