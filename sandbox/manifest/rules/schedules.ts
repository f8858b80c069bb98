import { isTimeZone } from '#kernel'
import { cronFault } from '../cron.ts'
import { reportDuplicates, type Rule } from './rule.ts'

/** Its jobs: each under a name of its own. */
export const jobs: Rule = {
  reads: ['jobs'],
  check({ jobs = [] }, report) {
    reportDuplicates(
      jobs,
      ({ name }) => name,
      (index) => report(`jobs.${index}.name`, 'unique', 'This name is used twice.'),
    )
  },
}

/** Its schedules: times that exist, in time zones that exist. */
export const schedules: Rule = {
  reads: ['schedules'],
  check({ schedules = [] }, report) {
    reportDuplicates(
      schedules,
      ({ id }) => id,
      (index) => report(`schedules.${index}.id`, 'unique', 'This id is used twice.'),
    )
    schedules.forEach(({ cron, timezone = 'UTC', perTenant = false }, index) => {
      const fault = cronFault(cron)
      if (fault) report(`schedules.${index}.cron`, 'cron', fault)
      if (timezone === 'tenant' ? !perTenant : !isTimeZone(timezone))
        report(
          `schedules.${index}.timezone`,
          'timezone',
          timezone === 'tenant'
            ? 'Only a perTenant schedule has a tenant whose time zone it follows.'
            : 'There is no such time zone.',
        )
    })
  },
}
