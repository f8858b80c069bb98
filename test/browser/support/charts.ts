import type { Locator, Page } from 'playwright-core'
import { until } from '../../support/until.ts'

/** The chart of this title. */
export function chartOf(page: Page, name: RegExp): Locator {
  return page.getByRole('region', { name }).first()
}

/** What is pointed and dragged over. */
export function handOf(chart: Locator): Locator {
  return chart.getByRole('slider')
}

/** How many points the last line of a chart has. */
export async function pointsOf(chart: Locator): Promise<number> {
  return (await chart.locator('polyline').last().getAttribute('points'))?.split(' ').length ?? 0
}

/** Waits until a chart goes from one time to another, in so many points. */
export async function showing(chart: Locator, ends: readonly string[], points: number): Promise<void> {
  const between = async () => [await chart.locator('.ends > span').allTextContents(), await pointsOf(chart)]
  await chart.locator('polyline').first().waitFor()
  await until(async () => JSON.stringify(await between()) === JSON.stringify([ends, points]))
}
