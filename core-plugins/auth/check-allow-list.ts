import { isIP } from 'node:net'
import type { ConfigCheck, ConfigObjection } from '../config/contract.ts'
import { compileAddressList } from './address-list.ts'

const key = 'admin_ip_allowlist'

/** Refuses a list of addresses for administrators that no address can be read from, or that shuts out whoever writes it. */
export const allowListCheck: ConfigCheck = {
  groups: ['platform_security'],
  check({ keys, values, ip }) {
    const entries = values[key] as readonly string[]
    if (!keys.includes(key) || entries.length === 0) return []
    const faults = entries.filter((entry) => !isNetwork(entry)).map(notAnAddress)
    if (faults.length > 0 || ip === undefined || compileAddressList(entries)(ip)) return faults
    const message = {
      default: 'would shut you out: it lacks your own address {ip}',
      'zh-CN': '会将您拒之门外：缺少您当前的地址 {ip}',
    }
    return [{ key, rule: 'excludes_writer', message, params: { ip } }]
  },
}

function notAnAddress(entry: string): ConfigObjection {
  const message = { default: '{entry} is no address or network', 'zh-CN': '{entry} 不是地址或网段' }
  return { key, rule: 'address', message, params: { entry } }
}

function isNetwork(entry: string): boolean {
  const [address = '', length] = entry.split('/')
  const longest = isIP(address) === 6 ? 128 : 32
  return isIP(address) !== 0 && (length === undefined || Number(length) <= longest)
}
