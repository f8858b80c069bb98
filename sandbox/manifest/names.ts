import { createHash } from 'node:crypto'

/** A plugin's name: publisher, dot, plugin; each in lower-case words joined by hyphens. */
export const pluginNameForm = /^[a-z][a-z0-9]*(-[a-z0-9]+)*\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Windows' device names: a file or folder of such a name cannot exist there. */
const deviceNames: ReadonlySet<string> = new Set([
  ...['con', 'prn', 'aux', 'nul', 'conin$', 'conout$'],
  ...Array.from({ length: 10 }, (_, number) => [`com${number}`, `lpt${number}`]).flat(),
])

/** Labels that no plugin's name may have, because paths, events or tables of the platform carry them. */
export const reservedLabels: ReadonlySet<string> = new Set([
  ...['kernel', 'system', 'platform', 'admin', 'tenant', 'public', 'api', 'pg', 'internal'],
  ...deviceNames,
])

/** The first eight hex digits of the name's SHA-256: a prefix of fixed length that is never the prefix of another plugin's. */
export function pluginHash8(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8)
}

/** The real name of a plugin's table or index: `plg_{h8}_{short}`. */
export function tableName(name: string, short: string): string {
  return `plg_${pluginHash8(name)}_${short}`
}

/** The code under which a role holds a plugin's permission: `plugin.<name>:<code>`. */
export function permissionCode(name: string, code: string): string {
  return `plugin.${name}:${code}`
}
