import type { ConfigReader } from '../config/contract.ts'
import { MaintenanceError } from './errors.ts'

const retrySeconds = 300

/** Throws 503/5031 to a tenant's users while the platform is being maintained; its own staff still get in. */
export async function requireNoMaintenance(config: ConfigReader, tenantId: number): Promise<void> {
  if (tenantId === 0 || !(await config.get('maintenance_mode', 0, false))) return
  const message = await config.get('maintenance_message', 0, '')
  throw new MaintenanceError({ details: { message, retry_after: retrySeconds } })
}
