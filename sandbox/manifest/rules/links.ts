import type { Rule } from './rule.ts'

/** Its addresses: those that a browser reads as they are written. */
export const links: Rule = {
  reads: ['homepage', 'repository', 'support'],
  check({ homepage, repository, support }, report) {
    for (const [field, address] of Object.entries({ homepage, repository, support }))
      if (address !== undefined && !URL.canParse(address)) report(field, 'address', 'This is no address.')
  },
}
