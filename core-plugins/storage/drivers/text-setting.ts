import type { DriverConfig } from '../contract.ts'

/** A text among a driver's settings; empty where there is none. */
export function textSetting(config: DriverConfig, name: string): string {
  const value = config[name]
  return typeof value === 'string' ? value : ''
}
