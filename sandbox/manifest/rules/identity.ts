import semver from 'semver'
import { readWantedModule } from '../../host-modules/host-modules.ts'
import type { Report } from '../fault.ts'
import { pluginNameForm, reservedLabels } from '../names.ts'
import { reportDuplicates, type Rule } from './rule.ts'

/** Who it is: name, publisher, version. */
export const identity: Rule = {
  reads: ['name', 'publisher', 'version'],
  check({ name, publisher, version }, report) {
    checkName('name', name, report)
    if (publisher !== name.split('.')[0])
      report('publisher', 'publisher', 'The publisher is the first label of the name.')
    if (semver.valid(version) !== version) report('version', 'semver', 'Write a strict semantic version such as 1.4.0.')
  },
}

/** What it runs with: version ranges of the host, of other plugins, of host modules. */
export const engines: Rule = {
  reads: ['name', 'engines', 'requires', 'conflicts', 'hostModules', 'upgrade'],
  check({ name, engines, requires = {}, conflicts = {}, hostModules = [], upgrade }, report) {
    checkRange('engines.host', engines.host, report)
    if (engines.sdk !== undefined) checkRange('engines.sdk', engines.sdk, report)
    if (upgrade?.from !== undefined) checkRange('upgrade.from', upgrade.from, report)
    for (const [section, ranges] of Object.entries({ requires, conflicts })) {
      for (const [other, range] of Object.entries(ranges)) {
        checkName(`${section}.${other}`, other, report)
        checkRange(`${section}.${other}`, range, report)
        if (other === name) report(`${section}.${other}`, 'self', 'A plugin cannot name itself here.')
        if (section === 'conflicts' && Object.hasOwn(requires, other))
          report(`${section}.${other}`, 'contradiction', 'This plugin is required and refused at once.')
      }
    }
    checkHostModules(hostModules, report)
  },
}

function checkName(field: string, name: string, report: Report): void {
  if (name.length < 3 || name.length > 64 || !pluginNameForm.test(name)) {
    report(field, 'name', 'Write <publisher>.<plugin> in lower-case words joined by hyphens, at most 64 characters.')
  } else if (name.split('.').some((label) => reservedLabels.has(label))) {
    report(field, 'reserved', 'The name has a reserved label.')
  }
}

export function checkRange(field: string, range: string, report: Report): void {
  if (semver.validRange(range) === null) report(field, 'range', 'Write a range of versions such as >=1.2.0 <2.0.0.')
}

/** Whether they are shipped is a matter of the host it is installed on. */
function checkHostModules(hostModules: readonly string[], report: Report): void {
  const wanted = hostModules.map(readWantedModule)
  wanted.forEach((module, index) => {
    if (!module) report(`hostModules.${index}`, 'host_module', 'Write a module and a range, such as dayjs@^1.')
  })
  reportDuplicates(
    wanted.map((module, index) => module?.name ?? String(index)),
    String,
    (index) => report(`hostModules.${index}`, 'unique', 'This module is used twice.'),
  )
}
