import { isPublicSuffix } from '../public-suffix.ts'
import { reportDuplicates, type Rule } from './rule.ts'

const labelForm = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/** Where it may send requests: names, never addresses. */
export const hosts: Rule = {
  reads: ['http', 'capabilities', 'optionalCapabilities'],
  check({ http, capabilities, optionalCapabilities = [] }, report) {
    const entries = http?.hosts ?? []
    const anyHost = [...capabilities, ...optionalCapabilities].includes('http:any')
    entries.forEach(({ host }, index) => {
      const fault = host === '*' ? (anyHost ? undefined : 'Every host needs the capability http:any.') : faultOf(host)
      if (fault) report(`http.hosts.${index}.host`, 'host', fault)
    })
    reportDuplicates(
      entries,
      ({ host }) => host,
      (index) => report(`http.hosts.${index}.host`, 'unique', 'This host is listed twice: join its ports and methods.'),
    )
  },
}

function faultOf(host: string): string | undefined {
  const labels = host.split('.')
  const isWildcard = labels[0] === '*'
  const fixed = isWildcard ? labels.slice(1) : labels
  if (!fixed.every((label) => label.length <= 63 && labelForm.test(label)))
    return 'Write a host name in lower-case ASCII letters, digits and hyphens, without scheme, port or path.'
  // A last label that does not begin with a letter is how every spelling of an IP address ends.
  if (!/^[a-z]/.test(fixed.at(-1) ?? '')) return 'An IP address is not allowed: name the host.'
  if (fixed.length < 2)
    return isWildcard ? 'A wildcard needs two fixed labels after it.' : 'A single label is not a public host.'
  if (isPublicSuffix(fixed.join('.'))) return 'This is a public suffix, below which everybody has names: name the host.'
  return undefined
}
