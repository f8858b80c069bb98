import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { licenceLimits, type Licence } from '../../licence/licence.ts'
import { signLicence } from '../../licence/token.ts'
import { requiredOption, UsageError, wholeNumber, type Command } from '../command.ts'
import { readSigningKey } from '../key-file.ts'
import { describeLicence } from './describe-licence.ts'

const daySeconds = 86_400
const maxDays = 36_500

/** `stoa licence issue`: a licence token for a customer. */
export const licenceIssue: Command = {
  usage: '--plugin <name> --key <key file> (--days <n> | --forever) [--host <site id>] [--seats <n> | --tenants <ids>]',
  summary: 'Makes a licence token for a customer.',
  about: [
    'The customer finds the id of the site in the administration (GET /plugins/license-host), and activates the token there.',
    'Without --seats and --tenants it is for every tenant of the site.',
  ],
  examples: ['stoa licence issue --plugin acme.sales --days 365 --key acme-lic-2026.key.json --out customer.licence'],
  options: {
    plugin: 'the plugin it is for',
    key: 'the key it is signed with, a file of stoa licence keygen',
    days: 'how long it is good',
    host: 'the id of the site it is for; every site unless given',
    seats: 'how many tenants it is for, whichever the customer chooses',
    tenants: 'the ids of the tenants it is for, with commas between',
    features: 'what it opens, with commas between',
    grace: 'days after its end in which everything goes on; 7 unless given',
    id: 'its id, by which it is revoked; a random one unless given',
    out: 'a new file for the token',
  },
  flags: { forever: 'it does not end', trial: 'it is shown as a trial' },
  async run(operands, options, flags) {
    if (operands.length > 0) throw new UsageError('stoa licence issue takes options only.')
    const key = await readSigningKey(requiredOption(options['key'], 'key', 'the key to sign with'))
    const licence = describe(options, flags, key.kid)
    const token = signLicence(licence, key)
    const { out } = options
    if (out !== undefined) {
      await writeFile(out, `${token}\n`, { flag: 'wx' }).catch(() => {
        throw new UsageError(`${out} exists already or cannot be written.`)
      })
    }
    const text = out === undefined ? [token] : [...describeLicence(licence), `Written to ${out}.`]
    return { text, json: { token, licence } }
  },
}

type Options = Readonly<Record<string, string | undefined>>

function describe(options: Options, flags: ReadonlySet<string>, kid: string): Licence {
  const plugin = requiredOption(options['plugin'], 'plugin', 'the plugin it is for')
  if (flags.has('forever') === (options['days'] !== undefined))
    throw new UsageError('Say how long it is good: --days or --forever.')
  const nbf = Math.floor(Date.now() / 1000)
  const days = wholeNumber(options['days'], 'days', 1, maxDays, 0)
  return {
    ...{ v: 1, typ: flags.has('trial') ? 'trial' : 'lic', jti: options['id'] ?? randomUUID(), kid },
    ...{ plugin, pub: plugin.split('.')[0] ?? '', host: options['host'] ?? '*' },
    ...reachOf(options),
    features: listOf(options['features']),
    ...{ nbf, exp: flags.has('forever') ? null : nbf + days * daySeconds },
    grace: wholeNumber(options['grace'], 'grace', 0, licenceLimits.graceDays, 7),
  }
}

function reachOf({ seats, tenants }: Options): Pick<Licence, 'seats'> | Pick<Licence, 'tenants'> {
  if (seats !== undefined && tenants !== undefined) throw new UsageError('Give --seats or --tenants, not both.')
  if (seats !== undefined) return { seats: wholeNumber(seats, 'seats', 1, licenceLimits.seats, 1) }
  if (tenants === undefined || tenants === '*') return { tenants: '*' }
  return { tenants: listOf(tenants).map((id) => wholeNumber(id, 'tenants', 1, 999_999_999, 1)) }
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
