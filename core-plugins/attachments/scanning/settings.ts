import type { ConfigReader } from '../../config/contract.ts'

/** How files are looked at before anybody reads them. */
export interface ScanSettings {
  /** Undefined where nobody looks at them. */
  readonly scanner: { readonly host: string; readonly port: number } | undefined
  readonly milliseconds: number
  /** Larger files are not looked at. */
  readonly mostBytes: number
  readonly takesTooLarge: boolean
  /** How long a file waits for a scanner that is away before it is taken as it is; undefined for as long as it is away. */
  readonly patienceMs: number | undefined
}

const megabyte = 1_048_576

/** Whether files are looked at. */
export async function isScanning(config: ConfigReader): Promise<boolean> {
  return (await config.get<string>('attachment_scan_mode')) === 'clamd'
}

/** Reads it all. */
export async function readScanSettings(config: ConfigReader): Promise<ScanSettings> {
  const [isOn, address, seconds, megabytes, tooLarge, whenAway, minutes] = await Promise.all([
    isScanning(config),
    config.get<string>('attachment_scan_address'),
    config.get<number>('attachment_scan_timeout_seconds'),
    config.get<number>('attachment_scan_max_mb'),
    config.get<string>('attachment_scan_too_large'),
    config.get<string>('attachment_scan_when_away'),
    config.get<number>('attachment_scan_away_minutes'),
  ])
  const colon = address.lastIndexOf(':')
  return {
    scanner: isOn ? { host: address.slice(0, Math.max(0, colon)), port: Number(address.slice(colon + 1)) } : undefined,
    milliseconds: seconds * 1000,
    mostBytes: megabytes * megabyte,
    takesTooLarge: tooLarge === 'allow',
    patienceMs: whenAway === 'allow' ? minutes * 60_000 : undefined,
  }
}
