import { currentLocale } from '../tab/i18n.ts'

/** An amount of money, which comes as digits and is never a floating number on its way here. */
export function money(amount: string | null | undefined, currency = 'USD'): string {
  if (amount === null || amount === undefined) return '–'
  const format = new Intl.NumberFormat(currentLocale(), { style: 'currency', currency, maximumFractionDigits: 4 })
  return format.format(amount as Intl.StringNumericLiteral)
}

/** A share as percent. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return '–'
  return new Intl.NumberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(share)
}
