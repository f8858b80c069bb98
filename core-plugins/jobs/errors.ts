import { defineError } from '#kernel'

export const JobNotFoundError = defineError(4040, 'job_not_found', 'There is no such job')
export const JobNotEndedError = defineError(
  4094,
  'job_not_ended',
  'The job is {state}: only one that was given up or cancelled is tried again',
)
export const JobEndedError = defineError(4094, 'job_ended', 'The job is {state} already')
