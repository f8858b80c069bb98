/** What health says, in English. */
export const english = {
  'notice.alert_raised': 'AI alert: {name}',
  'notice.alert_resolved': 'AI alert is over: {name}',
  'notice.auth_failed': 'The AI provider {name} refuses its credentials',
  'notice.secrets_undecryptable': 'No key opens the secrets of the AI provider {name}: give them again',
  'notice.canary_aborted': 'The canary {name} was ended: too many of its calls failed',
  'notice.fallback': 'Calls by the AI route {route} are answered by {model} instead: {why}',
  'notice.alert_value': '{metric}: {value}',
}
