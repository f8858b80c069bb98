/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Jobs of plugins',
  'plugin.description': 'Does in the background, step by step, what plugins enqueue',
  'notice.job_too_long': 'Its steps took longer than {minutes} minutes together',
  'notice.job_cancelled': 'It was cancelled',
  'notice.job_closed': 'The plugin did not run for the tenant for a week',
  'notice.job_gone': 'The release that runs has no such job',
}
