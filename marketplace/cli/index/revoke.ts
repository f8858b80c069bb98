import { revoke } from '../../keeper/change-index.ts'
import { requiredOption, UsageError, type Command } from '../command.ts'
import { indexOption } from '../index-options.ts'

const actions = ['warn', 'block_install', 'disable'] as const
const severities = ['low', 'medium', 'high', 'critical'] as const

/** `stoa index revoke`: what sites should not run. */
export const indexRevoke: Command = {
  usage:
    '[<name> --versions <range> --action <action> --severity <severity>] [--key <id>] [--license <jti>] --reason <text>',
  summary: 'Tells sites what not to run: releases, keys of publishers, licences.',
  about: ['warn tells administrators, block_install also keeps it from being installed, disable also switches it off.'],
  examples: [
    'stoa index revoke acme.sales --versions "<0.1.1" --action warn --severity medium --reason "Leaks totals" --index plugins',
  ],
  options: {
    versions: 'which releases of the plugin, as a range such as "<1.3.2"',
    action: `what sites do: ${actions.join(', ')}`,
    severity: `how bad it is: ${severities.join(', ')}`,
    reason: 'why, for administrators',
    cve: 'its number, such as CVE-2026-12345',
    key: 'the id of a publisher’s key whose signatures count no more',
    license: 'the jti of a licence token',
    index: indexOption,
  },
  async run([plugin, ...more], { versions, action, severity, reason, cve, key, license, index = '.' }) {
    if (more.length > 0) throw new UsageError('Give one plugin.')
    if (plugin === undefined && key === undefined && license === undefined)
      throw new UsageError('Say what is revoked: a plugin, --key or --license.')
    const releases =
      plugin === undefined
        ? []
        : [{ plugin, ...releaseTerms({ versions, action, severity, reason }), ...(cve === undefined ? {} : { cve }) }]
    await revoke(index, {
      plugins: releases,
      keys: key === undefined ? [] : [{ kid: key, ...(reason === undefined ? {} : { reason }) }],
      licenses: license === undefined ? [] : [license],
    })
    const what = [
      ...releases.map(({ plugin, versions, action }) => `${plugin} ${versions} (${action})`),
      ...(key === undefined ? [] : [`the key ${key}`]),
      ...(license === undefined ? [] : [`the licence ${license}`]),
    ]
    return {
      text: [`Revoked: ${what.join(', ')}. Build the index for sites to hear of it.`],
      json: { plugins: releases, key: key ?? null, license: license ?? null },
    }
  },
}

function releaseTerms(given: Readonly<Record<'versions' | 'action' | 'severity' | 'reason', string | undefined>>) {
  const action = actions.find((each) => each === given.action)
  const severity = severities.find((each) => each === given.severity)
  if (!action) throw new UsageError(`--action is one of ${actions.join(', ')}.`)
  if (!severity) throw new UsageError(`--severity is one of ${severities.join(', ')}.`)
  const versions = requiredOption(given.versions, 'versions', 'the releases')
  return { versions, action, severity, reason: requiredOption(given.reason, 'reason', 'why') }
}
