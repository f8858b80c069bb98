/** How a sign-in is kept safe. */
export interface Safety {
  readonly two_factor_enabled: boolean
  readonly login_security: {
    readonly notify_new_device: boolean
    readonly allowed_ips: readonly string[]
    readonly session_max_devices: number | null
  }
}
