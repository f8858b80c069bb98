import type { LoginSecurity } from '../contract.ts'

/** What a user chose for the safety of the own sign-in, as the wire shows it. */
export function presentLoginSecurity({ notifyNewDevice, allowedIps, sessionMaxDevices }: LoginSecurity) {
  return {
    notify_new_device: notifyNewDevice,
    allowed_ips: allowedIps,
    session_max_devices: sessionMaxDevices,
  }
}
