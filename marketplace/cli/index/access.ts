import { resolve } from 'node:path'
import { requireOutside } from '../../keeper/init-index.ts'
import { addCi, addToken, readAccess, removeAccess } from '../../push/access-file.ts'
import { isIssuerAddress } from '../../push/ci-tokens.ts'
import { atMostOneOperand, onlyOperand, requiredOption, UsageError, wholeNumber, type Command } from '../command.ts'
import { alignColumns } from '../table.ts'

const dayMs = 86_400_000
const options = {
  index: 'the folder of the index; this folder unless given',
  'access-file': 'where it is kept; <folder>.access.json beside the folder unless given',
} as const
const idOption = 'what it is called here, by which it is removed: small letters, digits and hyphens'

/** `stoa index add-token`: a secret for one publisher. */
export const indexAddToken: Command = {
  usage: '<publisher> --id <id> [--days <days>] [--index <folder>]',
  summary: 'Makes a token with which a publisher pushes releases to a served index.',
  about: [
    'It is shown once. Packages are signed by a key of the publisher all the same: neither the token nor the key is enough alone.',
    'The file of accesses lies beside the index, and only its owner can read it.',
  ],
  examples: ['stoa index add-token acme --id acme-laptop --days 30 --index plugins'],
  options: { ...options, id: idOption, days: 'how long it works; 90 unless given' },
  async run(operands, given) {
    const publisher = onlyOperand(operands, 'the publisher that pushes with it')
    const id = requiredOption(given['id'], 'id', idOption)
    const days = wholeNumber(given['days'], 'days', 1, 366, 90)
    const expires = new Date(Date.now() + days * dayMs)
    const token = await addToken(await ownAccessFile(given), { id, publisher, expires })
    return { text: [token], json: { id, publisher, expires: expires.toISOString(), token } }
  },
}

/** `stoa index add-ci`: runs that need no secret. */
export const indexAddCi: Command = {
  usage: '<publisher> --id <id> --issuer <address> --audience <address> --claims <name=value,…> [--index <folder>]',
  summary: 'Lets runs of a continuous integration push releases of a publisher by their identity (OpenID Connect).',
  about: [
    'The issuer is the code host’s, the audience the address of the index as the runs know it, with a slash at its end. Name claims',
    'that only the right runs have: the repository, and the workflow or the branch. Each identity token is believed once, and the',
    'version says which run published it.',
  ],
  examples: [
    'stoa index add-ci acme --id acme-ci --issuer https://token.actions.githubusercontent.com --audience https://plugins.acme.test/ --claims repository=acme/sales,ref=refs/heads/main --index plugins',
  ],
  options: {
    ...options,
    id: idOption,
    issuer: 'who signs the identity tokens, an https address',
    audience: 'whom they are for: the address of the index',
    claims: 'what must be in them, each with its value, commas between',
  },
  async run(operands, given) {
    const publisher = onlyOperand(operands, 'the publisher whose releases the runs push')
    const id = requiredOption(given['id'], 'id', idOption)
    const issuer = requiredOption(given['issuer'], 'issuer', 'who signs the identity tokens')
    const place = URL.parse(issuer)
    if (!place || !isIssuerAddress(place)) throw new UsageError('--issuer is an https address.')
    const audience = requiredOption(given['audience'], 'audience', 'the address of the index')
    const claims = readClaims(requiredOption(given['claims'], 'claims', 'what must be in the tokens'))
    await addCi(await ownAccessFile(given), { id, publisher, issuer, audience, claims })
    return {
      text: [`Runs of ${issuer} with ${claimsOf(claims)} push for ${publisher}.`],
      json: { id, publisher, issuer, audience, claims },
    }
  },
}

/** `stoa index access`: who may push. */
export const indexAccess: Command = {
  usage: '[<folder>]',
  summary: 'Lists who may push to an index.',
  examples: ['stoa index access plugins'],
  options: { 'access-file': options['access-file'] },
  async run(operands, given) {
    const { tokens, ci } = await readAccess(accessFileOf({ ...given, index: atMostOneOperand(operands) }))
    const rows = [
      ...tokens.map(({ id, publisher, expires }) => [id, publisher, `token, until ${expires.slice(0, 10)}`]),
      ...ci.map(({ id, publisher, issuer, claims }) => [id, publisher, `${issuer} with ${claimsOf(claims)}`]),
    ]
    const shown = tokens.map(({ id, publisher, expires }) => ({ id, publisher, expires }))
    return { text: rows.length === 0 ? ['Nobody may push.'] : alignColumns(rows), json: { tokens: shown, ci } }
  },
}

/** `stoa index remove-access`: somebody may push no more. */
export const indexRemoveAccess: Command = {
  usage: '<id> [--index <folder>]',
  summary: 'Ends a token, or what runs of a continuous integration may do; at once, also where the index is served.',
  examples: ['stoa index remove-access acme-laptop --index plugins'],
  options,
  async run(operands, given) {
    const id = onlyOperand(operands, 'the id of an access; stoa index access lists them')
    await removeAccess(accessFileOf(given), id)
    return { text: [`${id} pushes no more.`], json: { id } }
  },
}

/** The same, for what is written: never into the index, where everybody could fetch it. */
async function ownAccessFile(given: Readonly<Record<string, string | undefined>>): Promise<string> {
  const file = accessFileOf(given)
  await requireOutside(resolve(given['index'] ?? '.'), file)
  return file
}

/** Where the accesses of an index are kept. */
export function accessFileOf({
  index = '.',
  'access-file': file,
}: Readonly<Record<string, string | undefined>>): string {
  return resolve(file ?? `${resolve(index)}.access.json`)
}

function readClaims(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1 || at === pair.length - 1) throw new UsageError(`${pair} is no claim: write name=value.`)
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })
  return Object.fromEntries(pairs)
}

function claimsOf(claims: Readonly<Record<string, string>>): string {
  return Object.entries(claims)
    .map((pair) => pair.join('='))
    .join(', ')
}
