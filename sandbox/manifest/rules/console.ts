import { reportDuplicates, type Rule } from './rule.ts'

/** What it shows in the console: slots with ids of their own, menu entries that open one of them. */
export const consoleParts: Rule = {
  reads: ['slots', 'menu'],
  check({ slots = [], menu = [] }, report) {
    reportDuplicates(
      slots,
      ({ id }) => id,
      (index) => report(`slots.${index}.id`, 'unique', 'This id is used twice.'),
    )
    reportDuplicates(
      menu,
      ({ id }) => id,
      (index) => report(`menu.${index}.id`, 'unique', 'This id is used twice.'),
    )
    const areas = new Map(slots.map(({ id, area = 'tenant' }) => [id, area]))
    menu.forEach(({ slot, area }, index) => {
      if (!areas.has(slot)) report(`menu.${index}.slot`, 'declared', 'No slot has this id.')
      else if (areas.get(slot) !== area)
        report(`menu.${index}.area`, 'area', 'The slot it opens stands in another area.')
    })
  },
}

/** The languages it names: a README only in one of its locales. */
export const languages: Rule = {
  reads: ['readme', 'locales'],
  check({ readme, locales = [] }, report) {
    if (readme && !Object.hasOwn(readme, 'default'))
      report('readme.default', 'required', 'Name the README of no language.')
    for (const locale of Object.keys(readme ?? {})) {
      if (locale !== 'default' && !locales.includes(locale))
        report(`readme.${locale}`, 'declared', 'List this language in locales.')
    }
  },
}
