import { parse } from 'tldts'

/** Whether everybody registers names below a name, such as `co.uk` or `github.io`: whoever may reach them all reaches strangers. */
export function isPublicSuffix(name: string): boolean {
  return parse(name, { allowPrivateDomains: true }).domain === null
}
