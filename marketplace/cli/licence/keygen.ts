import type { Command } from '../command.ts'
import { keygen } from '../keygen.ts'

/** `stoa licence keygen`: a key pair to sign licences with. */
export const licenceKeygen: Command = {
  ...keygen,
  summary: 'Makes a key pair to sign licences with.',
  about: [
    'Name its id under licensing.keys of the manifest, and make its public half known as a key of the publisher.',
    'Use another key than for packages: who sells licences need not be able to publish.',
  ],
  examples: ['stoa licence keygen acme-lic-2026'],
}
