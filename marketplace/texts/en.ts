/** What the marketplace says, in English; its errors say it themselves. */
export const english = {
  'category.ai': 'AI',
  'category.communication': 'Communication',
  'category.integration': 'Integration',
  'category.reporting': 'Reporting',
  'category.sample': 'Samples',
  'category.security': 'Security',
}
