import type { Command } from '../command.ts'
import { publish } from '../publish.ts'

/** `stoa index add`: what a keeper calls stoa publish. */
export const indexAdd: Command = {
  ...publish,
  summary: 'Adds a signed package to the index; the same as stoa publish.',
  examples: ['stoa index add acme.sales-0.1.0.plugin.zip --index plugins --dry-run'],
}
