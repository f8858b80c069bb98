import { domainToASCII } from 'node:url'

/** Whether a normalised address is of one of the domains; `@Example.org` means `example.org`, and no domain below it. */
export function isOfDomain(email: string, domains: readonly string[]): boolean {
  const host = email.slice(email.lastIndexOf('@') + 1)
  return domains.some((domain) => {
    const name = domain.trim().replace(/^@/, '').toLowerCase()
    return (domainToASCII(name) || name) === host
  })
}
