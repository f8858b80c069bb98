/** What the sandbox says, in English; its errors say it themselves. */
export const english = {
  'notice.plugin_failed_thrice': 'It failed three times over within an hour',
  'notice.limit_cpu': '{entry} used more than {most} ms of CPU time',
  'notice.limit_wall': '{entry} took longer than {most} ms',
  'notice.limit_wall_waiting': '{entry} took longer than {most} ms; it was waiting for {open}',
  'notice.limit_memory': '{entry} needed more than {most} MB of memory',
  'notice.limit_host_calls': '{entry} called the host more than {most} times',
  'notice.limit_message': '{entry} sent the host a message that it may not send',
  'notice.limit_answer': 'The answer of {entry} is larger than {most} KB',
  'notice.limit_at_once':
    '{entry} was not called: {most} calls of the plugin, or {tenant} of one tenant, were running already',
  'notice.limit_queue': '{entry} was not called: {most} calls of the tenant were waiting already',
}
