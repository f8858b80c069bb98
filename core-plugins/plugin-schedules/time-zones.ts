import { isTimeZone } from '#kernel'
import type { ConfigReader } from '../config/contract.ts'

/** The settings that time zones come from. */
export const timeZoneKeys: readonly string[] = ['timezone', 'default_timezone']

/** The time zone a schedule is read in: the one it names, or the tenant's, else the platform's, else UTC. */
export async function timeZoneOf(settings: ConfigReader, named: string | undefined, tenantId: number): Promise<string> {
  if (named !== 'tenant') return named ?? 'UTC'
  for (const candidate of [
    await settings.get('timezone', tenantId, ''),
    await settings.get('default_timezone', 0, 'UTC'),
  ]) {
    if (isTimeZone(candidate)) return candidate
  }
  return 'UTC'
}
