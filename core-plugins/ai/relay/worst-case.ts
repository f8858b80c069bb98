import { charge, noMarkup, type Markup } from '../markups/markup.ts'
import { markupFor, type Leg, type Plan } from './plan.ts'
import type { CalledModel } from './ports.ts'
import { roundingOf, worstCost, worstInputCost, worstOutputCost } from './prices.ts'

/** Those of a plan that may answer, and what each of them may be told in tokens. */
interface WorstCase {
  readonly plan: Plan
  readonly legs: readonly Leg[]
  /** By leg. */
  readonly inputs: readonly number[]
}

/** The same for every leg, or by what the model belongs to. */
type MarkupOf = (model: CalledModel) => Markup

/** The most that a call can be charged: with the dearest of its targets, or with any two of them where one may go on after another. */
export function worstCharge(worst: WorstCase): bigint {
  return worstWith(worst, (model) => markupFor(model, worst.plan))
}

/** The same before what the tenant has off or pays on top. */
export function worstList(worst: WorstCase): bigint {
  return worstWith(worst, () => noMarkup)
}

/** The part of both that the input of one attempt makes up. */
export function worstInput({ plan, legs, inputs }: WorstCase): { readonly charged: bigint; readonly list: bigint } {
  const costs = legs.map(({ model }, at) => ({
    model,
    cost: worstInputCost(inputs[at] ?? 0, model.prices, plan.size.images),
  }))
  return {
    charged: largest(costs.map(({ model, cost }) => charge(cost, markupFor(model, plan)))),
    list: largest(costs.map(({ cost }) => cost)),
  }
}

/** Whoever goes on reads all of it again, and what was said so far. */
export function inputAgain(input: number, { continues, maxOutputTokens }: Plan): number {
  return continues ? input + maxOutputTokens : 0
}

function worstWith({ plan, legs, inputs }: WorstCase, markupOf: MarkupOf): bigint {
  const { maxOutputTokens, size } = plan
  const dearest = (costOf: (model: CalledModel, input: number) => bigint): bigint =>
    largest(legs.map(({ model }, at) => charge(costOf(model, inputs[at] ?? 0), markupOf(model))))
  if (!plan.continues) return dearest(({ prices }, input) => worstCost(input, maxOutputTokens, prices, size.images))
  // One may be dearest to tell something, and another to hear something from.
  return (
    dearest(({ prices }, input) => worstInputCost(input, prices, size.images)) +
    dearest(({ prices }, input) => worstInputCost(inputAgain(input, plan), prices, size.images)) +
    dearest(({ prices }) => worstOutputCost(maxOutputTokens, prices)) +
    // The output of each of the two is rounded up, and so is what is charged for it.
    dearest(({ prices }) => (prices ? 2n + 2n * roundingOf(prices) : 0n)) +
    2n
  )
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
}
