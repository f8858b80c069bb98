/** What the sandbox says, in English; its errors say it themselves. */
export const english = {
  'notice.plugin_failed_thrice': 'It failed three times over within an hour',
}
