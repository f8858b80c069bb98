import { isIP } from 'node:net'
import type { ConfigCheck, ConfigObjection } from '../config/contract.ts'
import { compileAddressList } from './address-list.ts'
import { texts } from './texts/texts.ts'

const key = 'admin_ip_allowlist'

/** Refuses a list of addresses for administrators that no address can be read from, or that shuts out whoever writes it. */
export const allowListCheck: ConfigCheck = {
  groups: ['platform_security'],
  check({ keys, values, ip }) {
    const entries = values[key] as readonly string[]
    if (!keys.includes(key) || entries.length === 0) return []
    const faults = entries.filter((entry) => !isNetwork(entry)).map(notAnAddress)
    if (faults.length > 0 || ip === undefined || compileAddressList(entries)(ip)) return faults
    const message = texts.of('allow_list.own_address')
    return [{ key, rule: 'excludes_writer', message, params: { ip } }]
  },
}

function notAnAddress(entry: string): ConfigObjection {
  const message = texts.of('allow_list.entry')
  return { key, rule: 'address', message, params: { entry } }
}

function isNetwork(entry: string): boolean {
  const [address = '', length] = entry.split('/')
  const longest = isIP(address) === 6 ? 128 : 32
  return isIP(address) !== 0 && (length === undefined || Number(length) <= longest)
}
