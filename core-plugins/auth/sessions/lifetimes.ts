import type { ConfigReader } from '../../config/contract.ts'
import type { UserRecord } from '../../users/contract.ts'

/** How long tokens and sessions last, in seconds, and how many sessions a user may have; 0 is no limit. */
export interface Lifetimes {
  readonly access: number
  readonly idle: number
  readonly absolute: number
  readonly devices: number
}

/** Reads what the platform or a tenant wants. */
export async function readLifetimes(config: ConfigReader, tenantId: number): Promise<Lifetimes> {
  const [accessMinutes, idleMinutes, absoluteDays, devices] = await Promise.all([
    config.get('access_token_minutes', 0, 15),
    tenantId === 0 ? config.get('session_timeout_minutes', 0, 1440) : config.get('session_timeout', tenantId, 10_080),
    config.get('session_absolute_days', 0, 30),
    config.get('session_max_devices', tenantId, tenantId === 0 ? 5 : 10),
  ])
  return { access: accessMinutes * 60, idle: idleMinutes * 60, absolute: absoluteDays * 86_400, devices }
}

/** The same within what the user chose, and with `seconds` within that time; nobody chooses more than is allowed. */
export function limitLifetimes(
  { access, idle, absolute, devices }: Lifetimes,
  { loginSecurity: { sessionMaxDevices } }: Pick<UserRecord, 'loginSecurity'>,
  seconds = Infinity,
): Lifetimes {
  const allowed = Math.min(devices || Infinity, sessionMaxDevices ?? Infinity)
  return {
    access,
    idle: Math.min(idle, seconds),
    absolute: Math.min(absolute, seconds),
    devices: Number.isFinite(allowed) ? allowed : 0,
  }
}
