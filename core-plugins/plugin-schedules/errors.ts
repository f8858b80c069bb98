import { defineError } from '#kernel'

export const ScheduleNotFoundError = defineError(4040, 'plugin_schedule_not_found', 'The plugin has no such schedule')
export const ScheduleNotPlannedError = defineError(
  4094,
  'plugin_schedule_not_planned',
  'Nobody it could run for uses {schedule}',
)
export const ScheduleRunningError = defineError(4094, 'plugin_schedule_running', '{schedule} is running already')
